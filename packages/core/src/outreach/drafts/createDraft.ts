/** Writing a draft for review. */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { AgentRow } from "../../agents/Agent.ts"
import { AgentsRepo } from "../../agents/AgentsRepo.ts"
import { Actor } from "../../kernel/command/Actor.ts"

import { InvalidInput, NotFound, type StoreFailure } from "../../kernel/failure/failures.ts"
import { Ids } from "../../kernel/schema/Ids.ts"
import type { DraftId } from "../../kernel/schema/RecordIds.ts"
import { now } from "../../kernel/schema/Time.ts"
import { DraftOpen } from "../../leads/failures.ts"
import { compareText } from "../../leads/identity/Identity.ts"
import type { LeadRow } from "../../leads/Lead.ts"
import type { StoredLead } from "../../leads/LeadsRepo.ts"
import type { MissionRow } from "../../missions/Mission.ts"
import { refuseArchived } from "../../missions/MissionStatus.ts"
import { MissionsRepo } from "../../missions/MissionsRepo.ts"
import { clearWaitingLeads } from "../transmission/gate.ts"
import type { DraftRow } from "./DraftRow.ts"
import { noReview } from "./DraftStatus.ts"
import { DraftsRepo } from "./DraftsRepo.ts"
import { contentHashOfView, newView, stateOfView } from "./DraftView.ts"
import { announceDraft, cancel, create } from "./draftTransitions.ts"
import { type EvidenceInput, evidenceFor, stepNow } from "./Evidence.ts"
import { holdDraft, suppressionOf } from "./readDraft.ts"
import { withdrawDrafts } from "./withdrawDrafts.ts"

/** What a draft is made of. `agent` and `mission` are an id or a handle; `lead` locks the lead. */
interface DraftRequest<E, R> {
  readonly variations: ReadonlyArray<string>
  readonly lead: Effect.Effect<StoredLead, E, R>
  readonly agent: string | undefined
  readonly mission: string | undefined
  readonly replaceOpen: boolean
  readonly model: string | undefined
  readonly evidence: typeof EvidenceInput.Type
}

const draftOpen = (lead: Pick<LeadRow, "id">, draftId: DraftId): DraftOpen =>
  new DraftOpen({
    draftId,
    message: `Lead ${lead.id} already has the open draft ${draftId} with this agent. Change it with linkedin.draft.update, or send replace_open: true.`
  })

const findMission = Effect.fnUntraced(function* (idOrHandle: string) {
  const { organizationId } = yield* Actor
  const mission = yield* (yield* MissionsRepo).hold(organizationId, idOrHandle)
  if (mission === undefined) return yield* new NotFound({ kind: "mission", id: idOrHandle })
  yield* Effect.fromResult(refuseArchived(mission.status, "draft"))
  return mission
})

/** The agent that was named, else the mission's, else the only one. Fails with NOT_FOUND or INVALID_INPUT. */
export const chooseAgent = Effect.fnUntraced(function* (
  named: string | undefined,
  mission: MissionRow | undefined
): Effect.fn.Return<AgentRow, StoreFailure | InvalidInput | NotFound, Actor | AgentsRepo> {
  const { organizationId } = yield* Actor
  const repo = yield* AgentsRepo
  const wanted = named ?? mission?.agentId ?? undefined
  if (wanted !== undefined) {
    const agent = yield* repo.find(organizationId, wanted)
    if (agent !== undefined) return agent
    if (named !== undefined) return yield* new NotFound({ kind: "agent", id: named })
  }
  const { items, next } = yield* repo.list(organizationId, { limit: 1, after: undefined })
  const [only] = items
  if (only !== undefined && next === undefined) return only
  return yield* new InvalidInput({
    message:
      only === undefined
        ? "agent_handle: there is no agent yet. Create one with agent.create."
        : "agent_handle is required, as there are several agents. See agent.list."
  })
})

/** Locks missions by id or handle, in one order. Those that do not exist are left out. */
export const holdMissions = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const { organizationId } = yield* Actor
  const missions = yield* MissionsRepo
  const found = yield* Effect.forEach(new Set(names), (name) => missions.findByIdOrHandle(organizationId, name))
  const ids = new Set(found.flatMap((mission) => (mission === undefined ? [] : [mission.id])))
  yield* Effect.forEach([...ids].sort(compareText), (id) => missions.hold(organizationId, id), { discard: true })
})

/** The mission that may take new drafts, by id or handle. Fails with NOT_FOUND or MISSION_ARCHIVED. */
export const openMission = findMission

/**
 * Stores a draft under review; sends nothing. Locks the mission, if one is named, and the lead. Fails with NOT_FOUND,
 * MISSION_ARCHIVED, LEAD_SUPPRESSED, DRAFT_OPEN, INVALID_INPUT (no agent can be told), as `lead` does, and with
 * `replaceOpen` also with DRAFT_IN_FLIGHT or SEND_OUTCOME_UNKNOWN.
 */
export const createDraft = Effect.fnUntraced(function* <E, R>(request: DraftRequest<E, R>) {
  const { organizationId, kind, policies, userId } = yield* Actor
  const mission = request.mission === undefined ? undefined : yield* findMission(request.mission)
  const { row: lead, suppressions } = yield* request.lead
  const refusal = suppressionOf(lead, suppressions, yield* now)
  if (refusal !== undefined) return yield* refusal
  const agent = yield* chooseAgent(request.agent, mission)
  const drafts = yield* DraftsRepo
  const state = yield* Effect.fromResult(create(request.variations))
  const content = { leadId: lead.id, agentId: agent.id, variations: state.variations }
  const evidence = yield* evidenceFor(content, request.evidence)
  // From here on nothing is refused after it was written, which linkedin.draft.create-many relies on.
  if (request.replaceOpen) {
    const open = yield* drafts.findOpen(organizationId, lead.id, agent.id)
    if (open !== undefined) {
      const held = yield* holdDraft(open)
      yield* Effect.fromResult(Result.map(cancel(stateOfView(held)), () => undefined))
      yield* clearWaitingLeads(yield* withdrawDrafts(organizationId, [held], "cancel", "draft_replaced"))
    }
  }
  const at = yield* now
  const row: DraftRow = {
    id: yield* (yield* Ids).next("drf"),
    organizationId,
    leadId: lead.id,
    agentId: agent.id,
    missionId: mission?.id ?? null,
    status: state.status,
    variations: state.variations,
    selectedIndex: null,
    selectedBodyText: null,
    queueItemId: null,
    messageId: null,
    externalMessageId: null,
    evidence,
    review: noReview,
    steps: [yield* stepNow("created", at, request.model)],
    createdBy: { userId, actorKind: kind },
    approvedBy: null,
    recipient: [],
    approvedAt: null,
    cancelledAt: null,
    dispatchedAt: null,
    createdAt: at,
    updatedAt: at
  }
  const taken = yield* drafts.insert(row)
  if (taken !== undefined) return yield* draftOpen(lead, taken)
  if (mission !== undefined) yield* (yield* MissionsRepo).touch(organizationId, mission.id, at)
  yield* announceDraft("draft.created", row, { content_hash: contentHashOfView({ row }) })
  return newView(row, lead, agent, mission, policies?.organization ?? {})
})
