/** Why something that an agent asked of the editor was not done. */
export type LinkFailureReason =
  /** No folder of the workspace holds the path. */
  | 'outside'
  /** A relative path that several folders have. */
  | 'ambiguous'
  /** A path that names nothing usable. */
  | 'bad_path'
  | 'not_found'
  /** It needs an editor window, and Casebook runs without one. */
  | 'no_window'
  /** The discovery file cannot be written. */
  | 'no_lock';
