/** An e-mail as it is shown. */

import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Instant } from "../kernel/schema/IdsAndTime.ts"
import { snakeFields } from "../kernel/schema/snakeCase.ts"
import { WrittenFollowUp, writtenFollowUp } from "../leads/followUp.ts"
import { EmailReviewStrategy } from "../missions/Mission.ts"
import { emailHashOf } from "../outreach/Life.ts"
import { openingFrom } from "../outreach/pacing/Pacing.ts"
import { type EmailRow, emailDecisions, emailStates, type TransmissionView } from "../outreach/Transmission.ts"

/** An e-mail with what is shown beside it. */
export type EmailView = TransmissionView<EmailRow>

/** Its Message-ID, which ends with the sender's domain. */
export const messageIdOf = ({ fromAddress, id }: Pick<EmailRow, "fromAddress" | "id">): string =>
  `${id}@${fromAddress.slice(fromAddress.lastIndexOf("@") + 1)}`

const text = Schema.String

const textOrNull = Schema.NullOr(text)

const instantOrNull = Schema.NullOr(Instant)

/** See `Transmission.ts`. */
export const Email = Schema.Struct({
  email_id: text,
  review_id: textOrNull.annotate({ description: "Id for email.review.decide; null without review" }),
  state: Schema.Literals(emailStates),
  reason: textOrNull.annotate({
    description:
      "Why it is waiting (outside_hours: for the agent's working hours; scheduled: for not_before), failed or was cancelled; otherwise null"
  }),
  review_strategy: EmailReviewStrategy,
  mission: Schema.NullOr(Schema.Struct({ id: text, handle: text, name: text })),
  agent: Schema.Struct({ handle: text, name: text }),
  lead: Schema.Struct({ id: text, name: text, email: text, company: text }),
  from: text.annotate({ description: "Sender's email address" }),
  subject: text,
  body_text: text,
  body_html: textOrNull,
  follow_up: WrittenFollowUp,
  content_hash: text.annotate({ description: "Hash of exactly these texts; send it with the decision" }),
  expires_at: instantOrNull.annotate({ description: "Until when a webhook may decide before people are asked" }),
  decision: Schema.NullOr(Schema.Literals(emailDecisions)),
  decided_by: textOrNull,
  decided_at: instantOrNull,
  attempts: Schema.Int,
  next_attempt_at: instantOrNull,
  sent_at: instantOrNull,
  created_at: Instant,
  updated_at: Instant
})

/** What is shown of an email. */
export type Email = typeof Email.Type

/** What is shown of an e-mail. */
export const emailOf = ({ agent, lead, mission, row }: EmailView): Email => ({
  email_id: row.id,
  review_id: row.strategy === "AUTO" ? null : row.id,
  state: row.state,
  reason: row.reason,
  review_strategy: row.strategy,
  mission: mission && Struct.pick(mission, ["id", "handle", "name"]),
  agent: Struct.pick(agent, ["handle", "name"]),
  lead: { id: lead.id, name: lead.name, email: row.toAddress, company: lead.company },
  from: row.fromAddress,
  ...snakeFields(row, ["subject", "bodyText", "bodyHtml"]),
  follow_up: writtenFollowUp({ mission, row }),
  content_hash: emailHashOf(row),
  ...snakeFields(row, ["expiresAt", "decision", "decidedBy", "decidedAt", "attempts"]),
  // It is looked at again before then, since hours may be changed.
  next_attempt_at:
    row.notBefore !== null && row.reason === "outside_hours"
      ? openingFrom(agent, lead.timezone === "" ? undefined : lead.timezone, row.notBefore)
      : row.notBefore,
  ...snakeFields(row, ["sentAt", "createdAt", "updatedAt"])
})
