/** A LinkedIn draft as it is shown, the spec's closed shapes; its status, and what its reviewers said. */
import * as Schema from "effect/Schema"
import type { ActorKind } from "../kernel/command/Permission.ts"
import { canonicalJson, sha256Hex } from "../kernel/schema/Hash.ts"
import { type AgentId, Instant, type InstantText, type LeadId, type UserId } from "../kernel/schema/IdsAndTime.ts"

/**
 * Draft status, as the specification lists it. DISPATCHED means that the provider confirmed the message; nothing else does. A
 * draft in PENDING_REVIEW has no selection; one in READY_TO_SEND always has one.
 */
export const DraftStatus = Schema.Literals(["PENDING_REVIEW", "READY_TO_SEND", "DISPATCHED", "CANCELLED"])

export type DraftStatus = typeof DraftStatus.Type

/** State of the queue item that carries a draft. */
export const DraftQueueState = Schema.Literals([
  "queued",
  "waiting_relation",
  "sending",
  "sent",
  "failed",
  "cancelled",
  "ambiguous"
])

export type DraftQueueState = typeof DraftQueueState.Type

/** Who did it. */
export interface DraftActor {
  readonly userId: UserId
  readonly actorKind: ActorKind
}

/** What a reviewer wrote for the writer: why a draft was rejected, or how to rewrite it. */
export interface ReviewNote {
  readonly text: string
  readonly by: DraftActor
  readonly at: InstantText
}

/** What reviewers said of a draft. */
export interface DraftReview {
  /** Until when it is not shown for review; null, or past, when it is. */
  readonly snoozedUntil: InstantText | null
  readonly flagged: boolean
  readonly flagNote: string | null
  /** Only of a cancelled draft. */
  readonly rejection: ReviewNote | null
  /** The next change of the texts answers it, and so do an approval and a rejection. */
  readonly rewrite: ReviewNote | null
}

/** Nothing was said yet. */
export const noReview: DraftReview = {
  snoozedUntil: null,
  flagged: false,
  flagNote: null,
  rejection: null,
  rewrite: null
}

/** Whether a draft under review waits for a time or for its writer, so that reviewers need not look at it. */
export const isDeferred = ({ rewrite, snoozedUntil }: DraftReview, at: string): boolean =>
  rewrite !== null || (snoozedUntil !== null && snoozedUntil > at)

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

/** What became of send_now. */
export const DispatchResult = Schema.Union([
  Schema.Struct({
    status: Schema.Literal("sent"),
    messageId: Schema.optionalKey(Schema.String),
    externalMessageId: Schema.optionalKey(Schema.String)
  }).annotate({ description: "Sent: the provider confirmed the message" }),
  Schema.Struct({ status: Schema.Literal("queued"), queueId: Schema.String }).annotate({
    description: "Queued: sent as soon as provider, account and person allow"
  }),
  Schema.Struct({ status: Schema.Literal("waiting_relation"), messageQueueId: Schema.String }).annotate({
    description: "Waiting: sent when the person is connected with the agent's account"
  })
])
export type DispatchResult = typeof DispatchResult.Type

/** The whole output. `dispatch_result` is null without send_now. */
export const ApproveOutput = Schema.Struct({
  draft: LinkedInDraft,
  dispatch_result: Schema.NullOr(DispatchResult),
  mode: Schema.Literals(["approved", "sent"])
})
export type ApproveOutput = typeof ApproveOutput.Type
