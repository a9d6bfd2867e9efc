/** Finding a message of unknown outcome in its conversation. Pure. */
import type { InstantText } from "../../kernel/schema/IdsAndTime.ts"
import type { ConversationMessage } from "../provider/ProviderReads.ts"
import { secondsBefore } from "./SendOptions.ts"

/** How far the provider's clock may be behind ours, in seconds. */
const clockSkew = 60

/** The text, when it was sent to the provider, and the messages of other drafts. */
export interface SoughtMessage {
  readonly text: string
  readonly startedAt: InstantText
  readonly others: ReadonlySet<string>
}

/** From when on the conversation is read. */
export const readFrom = ({ startedAt }: Pick<SoughtMessage, "startedAt">): string => secondsBefore(startedAt, clockSkew)

/** A text as it is compared: LinkedIn changes line ends and white space at the edges. */
const plain = (text: string): string => text.normalize("NFC").replaceAll(/\s+/g, " ").trim()

/** The first message that we wrote since and that has the text; undefined when there is none. */
export const findSent = (
  messages: ReadonlyArray<ConversationMessage>,
  sought: SoughtMessage
): ConversationMessage | undefined => {
  const since = readFrom(sought)
  const text = plain(sought.text)
  return messages
    .filter(({ at, direction, externalId, messageId, text: found }) => {
      if (direction !== "outbound" || at < since || found === null || plain(found) !== text) return false
      return !sought.others.has(messageId) && (externalId === null || !sought.others.has(externalId))
    })
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))[0]
}
