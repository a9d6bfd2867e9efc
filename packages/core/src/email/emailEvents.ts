/** What is said of e-mails in the event feed: ids and states, never texts. Source: G35. */

import type { EventType } from "../Event.ts"
import { emit } from "../Execution.ts"
import { contentHashOf, type EmailRow } from "./EmailRow.ts"

type EmailEvent = Extract<EventType, `email.${string}`>

/** States an event about an e-mail. */
export const announceEmail = (type: EmailEvent, row: EmailRow, details: Readonly<Record<string, unknown>> = {}) =>
  emit({
    type,
    subject: { type: "email", id: row.id },
    data: {
      lead_id: row.leadId,
      mission_id: row.missionId,
      agent_id: row.agentId,
      content_hash: contentHashOf(row),
      ...(row.strategy === "AUTO" ? {} : { review_id: row.id }),
      ...details
    }
  })
