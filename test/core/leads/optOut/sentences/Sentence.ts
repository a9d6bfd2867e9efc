/** A message that a person may write, and what it must be taken for. */

/**
 * `real`: asks for no further contact, and suppresses. `innocent`: does not ask for it, and must never suppress.
 * `uncertain`: a person has to decide, so it holds back what waits and never suppresses.
 */
export type Kind = "real" | "innocent" | "uncertain"

/** `note` says what makes it hard, if anything does. */
export type Sentence = readonly [kind: Kind, text: string, note?: string]

/** The messages of a language. Cues are written with `tuned` in view; `heldOut` only measures. */
export interface Sentences {
  readonly tuned: ReadonlyArray<Sentence>
  readonly heldOut: ReadonlyArray<Sentence>
}
