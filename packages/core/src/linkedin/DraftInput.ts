/**
 * What a caller may write of a draft.
 *
 * Lengths count UTF-16 units, as LinkedIn does. Source: catalogue 4.1 linkedin; G9, G29; contract 7 "MCP".
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Execution, warn } from "../Execution.ts"
import { nonEmptyLine, nonEmptyMessage } from "../TextFields.ts"

/** The most UTF-16 units of a message. Source: G29. */
export const longestMessage = 8_000

/** Above this LinkedIn may cut or refuse a message. Source: G29. */
export const comfortableLength = 1_900

const VariationInput = Schema.Union([
  nonEmptyMessage(longestMessage, "The message as it would be sent"),
  Schema.Struct({
    body_text: nonEmptyMessage(longestMessage, "The message as it would be sent"),
    position: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 })).annotate({
        description: "Ignored: the order of the list is the order of the variations"
      })
    )
  })
])

/** Input field `variations`. */
export const Variations = Schema.Array(VariationInput).check(Schema.isMaxLength(3)).annotate({
  description: "Up to three candidate texts, each a text or an object with body_text; one is chosen at approval"
})

/** The texts of decoded variations. */
export const textsOf = (variations: typeof Variations.Type): ReadonlyArray<string> =>
  variations.map((variation) => (typeof variation === "string" ? variation : variation.body_text))

/** Warns of each text that is longer than what LinkedIn takes for sure. */
export const warnOfLength = (texts: ReadonlyArray<string>): Effect.Effect<void, never, Execution> =>
  Effect.forEach(
    texts.flatMap((text, index) => (text.length > comfortableLength ? [{ index, length: text.length }] : [])),
    ({ index, length }) =>
      warn(`long_message: text ${index} has ${length} characters; LinkedIn may refuse more than ${comfortableLength}.`),
    { discard: true }
  )

/** Input field `draft_id`. */
export const DraftIdText = nonEmptyLine(64, "Id of the draft")

/** Input field `body_text` of an approval. */
export const ApprovedText = nonEmptyMessage(longestMessage, "The text to send instead of the variation's")

/** Input field `invitation_note`. */
export const InvitationNote = nonEmptyMessage(300, "Note that goes with the invitation, at most 300 characters")
