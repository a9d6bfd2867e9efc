/**
 * What LinkedIn does when a lead, a mission or an agent changes: the ports of the earlier domains, filled.
 *
 * Source: G1, G8, G11, G18, G32.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { AgentDeparture } from "../agents/AgentDeparture.ts"
import { LeadConsequences } from "../leads/LeadConsequences.ts"
import type { LeadsRepo } from "../leads/LeadsRepo.ts"
import { MissionArchival } from "../missions/MissionArchival.ts"
import type { QueueReason } from "./DraftRow.ts"
import { cancel } from "./DraftStatus.ts"
import { DraftsRepo } from "./DraftsRepo.ts"
import { stateOfView } from "./DraftView.ts"
import { cancelInvitations, cancelInvitationsOf } from "./invitations/cancelInvitations.ts"
import { moveDrafts } from "./moveDrafts.ts"
import { QueueRepo } from "./QueueRepo.ts"
import { asService } from "./sending/SystemRun.ts"
import { settleWaiting } from "./settleWaiting.ts"
import { withdrawDrafts } from "./withdrawDrafts.ts"

const consequences = Layer.effect(
  LeadConsequences,
  Effect.gen(function* () {
    const drafts = yield* DraftsRepo
    const queue = yield* QueueRepo
    const mine = Context.make(DraftsRepo, drafts).pipe(Context.add(QueueRepo, queue))
    return LeadConsequences.of({
      onStatus: (organizationId, leadId, { cancelDrafts, cancelQueueItems }, reason) =>
        Effect.gen(function* () {
          if (!cancelDrafts && !cancelQueueItems) return false
          const open = yield* drafts.holdOpen(organizationId, { leadId })
          const fate = cancelDrafts ? "cancel" : "review"
          const leadIds = yield* withdrawDrafts(organizationId, open, fate, reasonOf(reason))
          const uninvited = yield* cancelInvitationsOf(organizationId, leadId, reasonOf(reason))
          return leadIds.length + uninvited.length > 0 && (yield* queue.countLive(organizationId, leadId)) === 0
        }).pipe(Effect.provideContext(mine)),
      onMerge: (organizationId, winnerLeadId, loserLeadIds) =>
        Effect.provideContext(moveDrafts(organizationId, winnerLeadId, loserLeadIds), mine),
      onUnlinked: (organizationId, missionId, leadIds) =>
        Effect.gen(function* () {
          const open = yield* drafts.holdOpen(organizationId, { missionId, leadIds })
          const ending = open.filter((view) => Result.isSuccess(cancel(stateOfView(view))))
          const touched = yield* withdrawDrafts(organizationId, ending, "cancel", "lead_left_mission")
          const idleLeadIds = yield* Effect.filter(touched, (leadId) =>
            Effect.map(queue.countLive(organizationId, leadId), (live) => live === 0)
          )
          return { cancelled: ending.length, kept: open.length - ending.length, idleLeadIds }
        }).pipe(Effect.provideContext(mine))
    })
  })
)

const reasonOf = (reason: string): QueueReason =>
  reason === "lead_not_interested" || reason === "mission_archived" ? reason : "lead_suppressed"

const ports = Layer.effectContext(
  Effect.gen(function* () {
    const drafts = yield* DraftsRepo
    const queue = yield* QueueRepo
    const services = yield* Effect.context<DraftsRepo | QueueRepo | LeadsRepo | LeadConsequences>()
    const backToReview = (
      organizationId: string,
      owner: { missionId: string } | { agentId: string },
      reason: QueueReason
    ) =>
      Effect.gen(function* () {
        const open = yield* drafts.holdOpen(organizationId, owner)
        const leadIds = yield* withdrawDrafts(organizationId, open, "review", reason)
        yield* asService(organizationId, settleWaiting(leadIds))
      }).pipe(Effect.provideContext(services))
    const departure = AgentDeparture.of({
      unsent: (organizationId, agentId) => queue.countUnsent(organizationId, agentId),
      onDeleted: (organizationId, agentId) =>
        Effect.gen(function* () {
          yield* backToReview(organizationId, { agentId }, "agent_deleted")
          const waiting = yield* queue.invitations.queued(organizationId, { agentId })
          const leadIds = yield* cancelInvitations(organizationId, waiting, "agent_deleted")
          yield* asService(organizationId, settleWaiting(leadIds))
        }).pipe(Effect.provideContext(services))
    })
    const archival = MissionArchival.of({
      onArchived: (organizationId, missionId) => backToReview(organizationId, { missionId }, "mission_archived")
    })
    return Context.make(AgentDeparture, departure).pipe(Context.add(MissionArchival, archival))
  })
)

/** Fills the ports of leads, missions and agents. */
export const layer: Layer.Layer<
  LeadConsequences | AgentDeparture | MissionArchival,
  never,
  DraftsRepo | QueueRepo | LeadsRepo
> = ports.pipe(Layer.provideMerge(consequences))
