/** What is said of a draft when it changes: ids and states, never its texts. */
import type * as Effect from "effect/Effect"
import { type Execution, emit } from "../../kernel/command/Execution.ts"
import type { EventType } from "../../kernel/journal/Event.ts"
import type { DraftRow } from "./DraftRow.ts"

/** States that something happened to a draft. */
export const announceDraft = (
  type: Extract<EventType, `draft.${string}`>,
  row: DraftRow,
  details: Readonly<Record<string, unknown>> = {}
): Effect.Effect<void, never, Execution> =>
  emit({
    type,
    subject: { type: "draft", id: row.id },
    data: { status: row.status, lead_id: row.leadId, agent_id: row.agentId, mission_id: row.missionId, ...details }
  })
