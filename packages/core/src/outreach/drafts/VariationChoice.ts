/** The texts of a draft, and which of them an approval approves. */
import * as Result from "effect/Result"

import { ContentChanged, InvalidInput } from "../../kernel/failure/failures.ts"
import { DraftEmpty, VariationRequired } from "../failures.ts"
import type { DraftRow } from "./DraftRow.ts"

/** What the approver sent. */
export interface ApprovalChoice {
  /** Position of a variation, counted from 0; needed when there are several and none was approved before. */
  readonly variationIndex?: number | undefined
  /** Takes the place of the chosen text; the variation itself stays as it is. */
  readonly bodyText?: string | undefined
  /** The content hash that the approver read. */
  readonly contentHash?: string | undefined
  /** The profile of the lead that the approver read. */
  readonly profileUrl?: string | undefined
}

type Choosable = Pick<DraftRow, "status" | "variations" | "selectedIndex" | "selectedBodyText">

/** The text that a choice means; `index` is null when the draft has no variations and the text came with the approval. */
interface ChosenText {
  readonly index: number | null
  readonly text: string
}

/**
 * Finds the text. Without an index it is the selection made before, else the only variation. Fails with INVALID_INPUT for an
 * index out of range, VARIATION_REQUIRED when the choice is open, DRAFT_EMPTY when there is no text.
 */
export const chooseText = (
  state: Choosable,
  choice: ApprovalChoice
): Result.Result<ChosenText, DraftEmpty | InvalidInput | VariationRequired> =>
  Result.flatMap(chooseIndex(state, choice.variationIndex), (index) => {
    const kept = state.status === "READY_TO_SEND" && index === state.selectedIndex ? state.selectedBodyText : null
    const text = choice.bodyText ?? kept ?? (index === null ? "" : state.variations[index]) ?? ""
    if (text.trim() !== "") return Result.succeed({ index, text })
    return Result.fail(
      new DraftEmpty({
        message: "The draft has no text to approve. Send body_text, or add a variation with linkedin.draft.update."
      })
    )
  })

const chooseIndex = (
  state: Choosable,
  wanted: number | undefined
): Result.Result<number | null, InvalidInput | VariationRequired> => {
  const count = state.variations.length
  if (wanted !== undefined) {
    if (Number.isInteger(wanted) && wanted >= 0 && wanted < count) return Result.succeed(Math.abs(wanted))
    return Result.fail(new InvalidInput({ message: `variation_index ${outOfRange(count)}` }))
  }
  if (count === 0) return Result.succeed(null)
  if (count === 1) return Result.succeed(0)
  if (state.status === "READY_TO_SEND" && state.selectedIndex !== null) return Result.succeed(state.selectedIndex)
  return Result.fail(
    new VariationRequired({
      count,
      message: `The draft has ${count} variations. Choose one with variation_index, 0 to ${count - 1}.`
    })
  )
}

const outOfRange = (count: number): string =>
  count === 0
    ? "must be omitted, as the draft has no variations. Send body_text."
    : `must be a whole number from 0 to ${count - 1}, the position of a variation.`

/** CONTENT_CHANGED when a decision or a change was made from another text than that of the draft. `read` is undefined when nobody says. */
export const refuseOther = (read: string | undefined, contentHash: string): ContentChanged | undefined =>
  read === undefined || read === contentHash
    ? undefined
    : new ContentChanged({
        message: "The draft has changed since the content_hash was read. Read the draft again and decide again."
      })

const maxVariations = 3

/** INVALID_INPUT for more texts than a draft may have. */
export const refuseVariations = ({ length }: ReadonlyArray<string>): InvalidInput | undefined =>
  length <= maxVariations
    ? undefined
    : new InvalidInput({
        message: `variations: the maximum is ${maxVariations} texts, got ${length}. Send the best ones.`
      })
