/** Messages of a language. */
export interface Sentences {
  /** Certainly ask for no further contact. */
  readonly certain: ReadonlyArray<string>
  /** Ask for nothing of the kind. */
  readonly innocent: ReadonlyArray<string>
  /** A person has to decide. */
  readonly uncertain: ReadonlyArray<string>
}
