/**
 * What a caller may write of a draft.
 *
 * Lengths count UTF-16 units, as LinkedIn does.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Execution, warn } from "../../kernel/command/Execution.ts"
import { formatted, line, nonEmptyLine, nonEmptyMessage } from "../../kernel/schema/TextFields.ts"

/** The most UTF-16 units of a message. */
export const maxMessageLength = 8_000

/** Above this LinkedIn may cut or refuse a message. */
export const recommendedLength = 1_900

const VariationInput = Schema.Union([
  nonEmptyMessage(maxMessageLength, "The message exactly as it will be sent"),
  Schema.Struct({
    body_text: nonEmptyMessage(maxMessageLength, "The message exactly as it will be sent"),
    position: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 })).annotate({
        description: "Ignored: list order is the order of the variations"
      })
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
export const ContentHash = Schema.optionalKey(
  formatted(/^[0-9a-fA-F]{64}$/u, 64, "64 hexadecimal digits").annotate({
    description: "The content_hash that was read with the draft. The run fails if the draft has changed since"
  })
)
