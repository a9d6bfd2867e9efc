/** Leads without drafts and messages. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { LeadConsequences } from "#core/leads/LeadConsequences.ts"

/** For worlds without sending: there is never a draft or a queue item. */
export const noConsequences: Layer.Layer<LeadConsequences> = Layer.succeed(LeadConsequences, {
  onStatus: () => Effect.succeed(false),
  onReply: () => Effect.void,
  onMerge: () => Effect.void,
  onDetached: () => Effect.succeed(false),
  onUnlinked: () => Effect.succeed({ cancelled: 0, kept: 0, idleLeadIds: [] })
})
