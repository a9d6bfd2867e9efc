/**
 * What else depends on a lead that changed status, went into another or left a mission: its drafts, and the messages waiting
 * to be sent to it.
 *
 * Drafts and queue belong to a later domain, so this is a port that it fills. Source: G8, G11.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Execution } from "../Execution.ts"
import type { Failure } from "../Failure.ts"
import type { LeadStatusConsequences } from "./LeadStatus.ts"

/** What became of the open drafts that leads had in a mission which they left. */
export interface WithdrawnDrafts {
  readonly cancelled: number
  /** Those that are being transmitted right now, or may have been. */
  readonly kept: number
  /** Leads for whom something waited, and nothing does any more. */
  readonly idleLeadIds: ReadonlyArray<string>
}

/** The methods run inside the transaction of the change, which holds the leads. */
export class LeadConsequences extends Context.Service<
  LeadConsequences,
  {
    /**
     * The lead took a status that has consequences for what is not sent yet; `reason` is kept with what is cancelled.
     * What is being transmitted right now, or may have been, stays as it is. Answers whether something waited for the lead
     * and nothing does any more.
     */
    readonly onStatus: (
      organizationId: string,
      leadId: string,
      consequences: LeadStatusConsequences,
      reason: string
    ) => Effect.Effect<boolean, Failure, Execution>
    /**
     * Leads became one: what is drafted and queued for the losers belongs to the winner now. A loser's draft that the
     * winner has no room for is cancelled. Fails with DRAFT_IN_FLIGHT or SEND_OUTCOME_UNKNOWN when that draft is being
     * transmitted, or may have been.
     */
    readonly onMerge: (
      organizationId: string,
      winnerLeadId: string,
      loserLeadIds: ReadonlyArray<string>
    ) => Effect.Effect<void, Failure, Execution>
    /**
     * Leads left a mission: their open drafts of that mission are cancelled, and what waits to be sent for it; those of
     * other missions stay.
     */
    readonly onUnlinked: (
      organizationId: string,
      missionId: string,
      leadIds: ReadonlyArray<string>
    ) => Effect.Effect<WithdrawnDrafts, Failure, Execution>
  }
>()("@svc/core/leads/LeadConsequences") {}

/** Nothing is ever drafted or queued: for a catalogue without sending. */
export const layerNone: Layer.Layer<LeadConsequences> = Layer.succeed(LeadConsequences, {
  onStatus: () => Effect.succeed(false),
  onMerge: () => Effect.void,
  onUnlinked: () => Effect.succeed({ cancelled: 0, kept: 0, idleLeadIds: [] })
})
