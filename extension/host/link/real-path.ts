import { realpathSync } from 'node:fs';

/** Every link on the way resolved; as it is for what is not on the disk. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
