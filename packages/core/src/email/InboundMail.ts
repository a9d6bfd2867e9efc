/** A received mail, as it is read from its source text. What it means is decided in this folder, not by whoever parses it. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { InvalidInput, Unavailable } from "../kernel/failure/failures.ts"
import type { InstantText } from "../kernel/schema/IdsAndTime.ts"
import type { Mailbox } from "./EmailGateway.ts"

/** What a delivery report (RFC 3464) says of one recipient. Texts are as the reporting server wrote them; empty when absent. */
export interface DeliveryStatus {
  /** `Original-Recipient`, otherwise `Final-Recipient`, without its type. */
  readonly recipient: string
  /** `failed`, `delayed`, `delivered`, `relayed` or `expanded`, in lower case. */
  readonly action: string
  /** The enhanced status code (RFC 3463), such as `5.1.1`. */
  readonly status: string
  readonly diagnostic: string
}

/** A received mail. */
export interface InboundMail {
  /** Message-ID without angle brackets; null when the mail has none. */
  readonly messageId: string | null
  /** Ids of `In-Reply-To` and `References`, without angle brackets, the closest first. */
  readonly references: ReadonlyArray<string>
  /** The first address of `From`; null when there is none. */
  readonly from: Mailbox | null
  /** Every address of `To`, `Cc`, `Delivered-To` and `X-Original-To`. */
  readonly to: ReadonlyArray<string>
  readonly subject: string
  /** The `Date`, if it is one. */
  readonly date: InstantText | null
  /** What its author wrote, without quoted mails; of the HTML version where there is no other. */
  readonly text: string
  /** The mails that it quotes, with their headings; empty when it quotes none. */
  readonly quoted: string
  /** Headers by name in lower case, those that appear several times joined by line breaks. */
  readonly headers: ReadonlyMap<string, string>
  /** Names of attached files; their content is not kept. */
  readonly attachments: ReadonlyArray<string>
  /** A delivery report (RFC 3464); empty for any other mail. */
  readonly statuses: ReadonlyArray<DeliveryStatus>
  /** The type of a feedback report (RFC 5965), such as `abuse`; null for any other mail. */
  readonly feedback: string | null
  /** Of the mail that a report is about, if it encloses it: its Message-ID without angle brackets. */
  readonly reported: string | null
}

/** Reads the source text of mails. Fails with INVALID_INPUT for what is no mail, and with UNAVAILABLE without the parser's package. */
export class MailReader extends Context.Service<
  MailReader,
  { readonly read: (source: Uint8Array) => Effect.Effect<InboundMail, InvalidInput | Unavailable> }
>()("@svc/core/email/MailReader") {}
