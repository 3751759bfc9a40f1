import type { Core } from '../../compose/ports.ts';

/** What was changed while watching and has not been looked at. */
export interface Unreviewed {
  checkpoint: string;
  label: string;
  files: number;
}

/** Checkpoints whose workspace differs and was not looked at. */
export async function unreviewedOf(_core: Core): Promise<Unreviewed[]> {
  return [];
}
