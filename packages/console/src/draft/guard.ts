/**
 * Whether a key press approves what is on the screen. Keys that were pressed before a text could be read, or that repeat,
 * approve nothing. Pure.
 */

/** Milliseconds that a text must have been shown. */
export const readingTime = 300

/** Milliseconds that the confirmation of errors waits for its second press. */
const confirmationTime = 10_000

/** A text that is shown in full, since when. Times are those of `performance.now()`. */
export interface Shown {
  readonly itemId: string
  readonly contentHash: string | null
  readonly variation: number
  readonly at: number
}

/** What a key press meets. */
interface Press {
  readonly at: number
  readonly isRepeat: boolean
  /** What would be approved; undefined while it is loading. */
  readonly target: Omit<Shown, "at"> | undefined
  readonly shown: Shown | undefined
  readonly isReviewable: boolean
  readonly isSaving: boolean
  /** Whether the end of the text was on the screen. */
  readonly isRead: boolean
  readonly hasErrors: boolean
  /** When the same text was confirmed in spite of its errors. */
  readonly confirmedAt: number | undefined
}

/** Whether a text is the one that would be approved. */
export const isSame = (shown: Shown | undefined, target: Omit<Shown, "at">): shown is Shown =>
  shown !== undefined &&
  shown.itemId === target.itemId &&
  shown.contentHash === target.contentHash &&
  shown.variation === target.variation

/** The verdict on a press. */
export const verdictOf = (press: Press) => {
  const { at, confirmedAt, hasErrors, isRead, isRepeat, isReviewable, isSaving, shown, target } = press
  if (isRepeat) return "ignore"
  if (target === undefined) return "loading"
  if (isSaving) return "saving"
  if (!isReviewable) return "closed"
  if (!isSame(shown, target) || at - shown.at < readingTime) return "ignore"
  if (!isRead) return "scroll"
  if (!hasErrors) return "approve"
  if (confirmedAt === undefined || at - confirmedAt > confirmationTime) return "confirm"
  return at - confirmedAt < readingTime ? "ignore" : "approve"
}
