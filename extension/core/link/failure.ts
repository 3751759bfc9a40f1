/** Why something that an agent asked of the editor was not done. */
export type LinkFailureReason =
  /** No folder of the workspace holds the path. */
  | 'outside'
  /** A relative path that several folders have. */
  | 'ambiguous'
  /** A path that names nothing usable. */
  | 'bad_path'
  | 'not_found'
  /** The file is one that is never given to an agent. */
  | 'not_shared'
  /** No client of that id, or none that can be told this. */
  | 'no_client'
  /** It needs an editor window, and Casebook runs without one. */
  | 'no_window'
  /** The discovery file cannot be written. */
  | 'no_lock';
