/** Why something of the review room could not be done. */
export type ReviewFailureReason =
  /** Text cannot be written in the file's encoding; `detail.characters` lists what has no place there. */
  | 'unencodable'
  /** A decision names a hunk that the file does not have. */
  | 'unknown_hunk'
  /** A decision that this kind of hunk cannot take, such as edited text for a deletion. */
  | 'impossible_decision'
  /** Asked for final bytes while something is still undecided. */
  | 'undecided'
  | 'cancelled';
