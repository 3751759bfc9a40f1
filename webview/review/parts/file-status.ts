import type { FileStatus } from '../model.ts';

/** How a file's state is drawn, in the list and above its changes; no two states look alike. */
export const statusLook = {
  undecided: { icon: 'circle-large-outline', tone: 'info' },
  accepted: { icon: 'pass', tone: 'good' },
  rejected: { icon: 'circle-slash', tone: 'bad' },
  mixed: { icon: 'color-mode', tone: 'warn' },
} as const satisfies Record<FileStatus, { icon: string; tone: string }>;
