/** A LinkedIn draft as it is shown: the spec's closed shape, so it is its own JSON. */

import * as Schema from "effect/Schema"
import { canonicalJson, sha256Hex } from "../../kernel/schema/Hash.ts"
import { type AgentId, Instant, type LeadId } from "../../kernel/schema/IdsAndTime.ts"
import { DraftStatus } from "./DraftStatus.ts"

const text = Schema.String
const textOrNull = Schema.NullOr(Schema.String)

/** A person, or a program that writes in a person's name. */
const ActorKindSchema = Schema.Literals(["USER", "AI_AGENT"])

/** A candidate text. Positions are 0, 1, 2 without gaps. */
const Variation = Schema.Struct({ position: Schema.Int, body_text: text })
type Variation = typeof Variation.Type

/** A draft with the parts of lead, agent and mission that a reviewer needs. */
export const LinkedInDraft = Schema.Struct({
  draft_id: text,
  status: DraftStatus,
  channel: Schema.Literal("LINKEDIN"),
  dispatched_queue_item_id: textOrNull,
  dispatched_message_id: textOrNull,
  dispatched_external_message_id: textOrNull,
  selected_variation_index: Schema.NullOr(Schema.Int),
  selected_body_text: textOrNull,
  approved_at: Schema.NullOr(Instant),
  cancelled_at: Schema.NullOr(Instant),
  dispatched_at: Schema.NullOr(Instant),
  created_at: Instant,
  updated_at: Instant,
  created_by_user_id: text,
  created_by_actor_kind: ActorKindSchema,
  approved_by_user_id: textOrNull,
  approved_by_actor_kind: Schema.NullOr(ActorKindSchema),
  lead: Schema.Struct({
    lead_id: text,
    name: text,
    company_name: textOrNull,
    job_title: textOrNull,
    linkedin_url: textOrNull
  }),
  agent: Schema.Struct({ agent_id: text, handle: text, name: text }),
  mission: Schema.NullOr(Schema.Struct({ mission_id: text, handle: text, name: text })),
  variations: Schema.Array(Variation)
})
export type LinkedInDraft = typeof LinkedInDraft.Type

/** Texts as variations, numbered from 0. */
export const variationsOf = (texts: ReadonlyArray<string>): ReadonlyArray<Variation> =>
  texts.map((body_text, position) => ({ position, body_text }))

/**
 * The hash that binds an approval to what was read: lower-case hexadecimal SHA-256 of the canonical JSON of
 * `{lead_id, agent_id, variations}`.
 */
export const contentHashOf = (draft: {
  readonly leadId: LeadId
  readonly agentId: AgentId
  readonly variations: ReadonlyArray<string>
}): string =>
  sha256Hex(
    canonicalJson({ lead_id: draft.leadId, agent_id: draft.agentId, variations: variationsOf(draft.variations) })
  )
