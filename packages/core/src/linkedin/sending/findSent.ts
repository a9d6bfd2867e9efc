/**
 * Whether a conversation shows a message of which nobody knows whether it was sent. Pure.
 *
 * Source: contract 1.9; reliability research, threat 1 (e).
 */
import type { ConversationMessage } from "../bridge/GatewayAdditions.ts"
import { secondsBefore } from "../SendOptions.ts"

/** How far the provider's clock may be behind ours, in seconds. */
const clockSkew = 60

/** What is looked for: a text that was given to the provider at an instant, and messages that are other drafts'. */
export interface Missing {
  readonly text: string
  readonly startedAt: string
  readonly others: ReadonlySet<string>
}

/** From when on the conversation is read. */
export const readFrom = ({ startedAt }: Pick<Missing, "startedAt">): string => secondsBefore(startedAt, clockSkew)

/** A text as it is compared: LinkedIn changes line ends and white space at the edges. */
const plain = (text: string): string => text.normalize("NFC").replaceAll(/\s+/g, " ").trim()

/** The first message that we wrote since and that has the text; undefined when there is none. */
export const findSent = (
  messages: ReadonlyArray<ConversationMessage>,
  missing: Missing
): ConversationMessage | undefined => {
  const since = readFrom(missing)
  const text = plain(missing.text)
  return messages
    .filter(({ at, direction, externalId, messageId, text: found }) => {
      if (direction !== "outbound" || at < since || found === null || plain(found) !== text) return false
      return !missing.others.has(messageId) && (externalId === null || !missing.others.has(externalId))
    })
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))[0]
}
