/**
 * What a caller may write of a draft, and which of its texts an approval approves.
 *
 * Lengths count UTF-16 units, as LinkedIn does.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Execution, warn } from "../kernel/command/Execution.ts"
import { ContentChanged, InvalidInput } from "../kernel/failure/failures.ts"
import { formatted, line, nonEmptyLine, nonEmptyMessage, optional } from "../kernel/schema/TextFields.ts"
import { DraftEmpty, VariationRequired } from "./failures.ts"
import type { DraftRow } from "./Transmission.ts"

/** The most UTF-16 units of a message. */
export const maxMessageLength = 8_000

/** Above this LinkedIn may cut or refuse a message. */
export const recommendedLength = 1_900

const VariationInput = Schema.Union([
  nonEmptyMessage(maxMessageLength, "The message exactly as it will be sent"),
  Schema.Struct({
    body_text: nonEmptyMessage(maxMessageLength, "The message exactly as it will be sent"),
    position: optional(
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 })),
      "Ignored: list order is the order of the variations"
    )
  })
])

/** Input field `variations`. */
export const Variations = Schema.Array(VariationInput).check(Schema.isMaxLength(3)).annotate({
  description: "One to three candidate texts. Each is a string or an object with body_text; one is chosen at approval"
})

/** The texts of decoded variations. */
export const textsOf = (variations: typeof Variations.Type): ReadonlyArray<string> =>
  variations.map((variation) => (typeof variation === "string" ? variation : variation.body_text))

/** Warns of each text that is longer than what LinkedIn accepts in any case. */
export const warnOfLength = (texts: ReadonlyArray<string>): Effect.Effect<void, never, Execution> =>
  Effect.forEach(
    texts.flatMap((text, index) => (text.length > recommendedLength ? [{ index, length: text.length }] : [])),
    ({ index, length }) =>
      warn(`long_message: text ${index} has ${length} characters; LinkedIn may refuse more than ${recommendedLength}.`),
    { discard: true }
  )

/** Input field `model`. */
export const ModelName = Schema.optionalKey(
  nonEmptyLine(100, "The model that wrote the texts, if any: kept in the draft's provenance")
)

/** Input field `draft_id`. */
export const DraftIdText = nonEmptyLine(64, "Id of the draft")

/** Input field `body_text` of an approval. */
export const ApprovedText = nonEmptyMessage(maxMessageLength, "Text to send instead of the variation's")

/** Input field `invitation_note`. */
export const InvitationNote = nonEmptyMessage(300, "Note for the invitation. At most 300 characters")

/** Input field `profile_url` of an approval and of an invitation. */
export const ExpectedProfile = Schema.optionalKey(
  line(2_000, "The lead's LinkedIn profile as you read it; fails if the lead shows another one")
)

/** Input field `content_hash` of a decision. */
export const ContentHash = optional(
  formatted(/^[0-9a-fA-F]{64}$/u, 64, "64 hexadecimal digits"),
  "The content_hash that was read with the draft. The run fails if the draft has changed since"
)

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
  /** When it may leave: an instant, or a word for one. */
  readonly notBefore?: string | undefined
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
