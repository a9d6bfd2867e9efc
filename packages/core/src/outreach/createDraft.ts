/** Writing a draft for review. */

import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type AgentRow, AgentsRepo } from "../agents/Agent.ts"
import { Actor, type Execution } from "../kernel/command/Execution.ts"
import { isStoreDown } from "../kernel/failure/Failure.ts"
import { InvalidInput, NotFound, type StoreFailure } from "../kernel/failure/failures.ts"
import { type DraftId, Ids, now } from "../kernel/schema/IdsAndTime.ts"
import { DraftOpen } from "../leads/failures.ts"
import { holdFoundLeads, type LookupRefusal } from "../leads/findLead.ts"
import { compareText } from "../leads/identity/Identity.ts"
import type { ReferenceFields } from "../leads/identity/IdentityInput.ts"
import type { LeadRow } from "../leads/Lead.ts"
import type { LeadLocks, StoredLead } from "../leads/LeadsRepo.ts"
import { endDraftRequest } from "../leads/recordMessage.ts"
import type { MissionRow } from "../missions/Mission.ts"
import { refuseArchived } from "../missions/MissionStatus.ts"
import { MissionsRepo } from "../missions/MissionsRepo.ts"
import { bindFollowUps } from "./bindFollowUps.ts"
import { announce, decideChange, storeChange } from "./carryOut.ts"
import { contentHashOfView, DraftsRepo, type DraftView, holdDraft, newView, suppressionOf } from "./DraftsRepo.ts"
import { type EvidenceInput, evidenceFor, stepNow } from "./Evidence.ts"
import { noReview } from "./LinkedInDraft.ts"
import { reviewed } from "./steps.ts"
import type { DraftRow } from "./Transmission.ts"

/** What a draft is made of. `agent` and `mission` are an id or a handle. */
interface DraftRequest {
  readonly variations: ReadonlyArray<string>
  readonly lead: ReferenceFields
  readonly agent: string | undefined
  readonly mission: string | undefined
  readonly replaceOpen: boolean
  readonly model: string | undefined
  readonly evidence: typeof EvidenceInput.Type
}

/** A draft of a list; `context` is by default the running call. */
export interface DraftItem<F> {
  readonly request: Result.Result<DraftRequest, F>
  readonly context?: Context.Context<Actor | Execution> | undefined
}

const draftOpen = (lead: Pick<LeadRow, "id">, draftId: DraftId): DraftOpen =>
  new DraftOpen({
    draftId,
    message: `Lead ${lead.id} already has the open draft ${draftId} with this agent. Change it with linkedin.draft.update, or send replace_open: true.`
  })

/** The mission, if it may take new drafts. Fails with NOT_FOUND or MISSION_ARCHIVED. */
const requireOpen = Effect.fnUntraced(function* (mission: MissionRow | undefined, idOrHandle: string) {
  if (mission === undefined) return yield* new NotFound({ kind: "mission", id: idOrHandle })
  yield* Effect.fromResult(refuseArchived(mission.status, "draft"))
  return mission
})

/** Locks the mission that may take new drafts, by id or handle. Fails with NOT_FOUND or MISSION_ARCHIVED. */
export const openMission = Effect.fnUntraced(function* (idOrHandle: string) {
  const { organizationId } = yield* Actor
  return yield* requireOpen(yield* (yield* MissionsRepo).hold(organizationId, idOrHandle), idOrHandle)
})

/** The agent that was named, else the mission's, else the only one. Fails with NOT_FOUND or INVALID_INPUT. */
export const chooseAgent = Effect.fnUntraced(function* (named: string | undefined, mission: MissionRow | undefined) {
  const { organizationId } = yield* Actor
  const repo = yield* AgentsRepo
  const wanted = named ?? mission?.agentId ?? undefined
  if (wanted !== undefined) {
    const agent = yield* repo.find(organizationId, wanted)
    if (agent !== undefined) return agent
    if (named !== undefined) return yield* new NotFound({ kind: "agent", id: named })
  }
  const { items, next } = yield* repo.list(organizationId, { limit: 1 })
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
const holdMissions = Effect.fnUntraced(function* (names: ReadonlySet<string>) {
  const { organizationId } = yield* Actor
  const missions = yield* MissionsRepo
  const ids = new Map<string, string>()
  for (const name of names) {
    const id = names.size === 1 ? name : (yield* missions.findByIdOrHandle(organizationId, name))?.id
    if (id !== undefined) ids.set(name, id)
  }
  const rows = new Map<string, MissionRow>()
  for (const id of [...new Set(ids.values())].sort(compareText)) {
    const row = yield* missions.hold(organizationId, id)
    if (row !== undefined) rows.set(id, row)
  }
  return new Map(
    [...ids].flatMap(([name, id]) => {
      const row = rows.get(id)
      return row === undefined ? [] : [[name, row] as const]
    })
  )
})

/** A draft that may be stored. */
interface Decided {
  readonly row: DraftRow
  readonly lead: LeadRow
  readonly agent: AgentRow
  readonly mission: MissionRow | undefined
}

/** What a list names, each read once. */
interface Named {
  readonly missions: ReadonlyMap<string, MissionRow>
  readonly agentOf: (
    named: string | undefined,
    mission: MissionRow | undefined
  ) => Effect.Effect<AgentRow, StoreFailure | InvalidInput | NotFound, Actor | AgentsRepo>
}

const decideDraft = Effect.fnUntraced(function* (
  request: DraftRequest,
  found: Result.Result<StoredLead, LookupRefusal>,
  { agentOf, missions }: Named
) {
  const { organizationId, kind, userId } = yield* Actor
  const named = request.mission
  const mission = named === undefined ? undefined : yield* requireOpen(missions.get(named), named)
  const { row: lead, suppressions } = yield* Effect.fromResult(found)
  const at = yield* now
  const refusal = suppressionOf(lead, suppressions, at)
  if (refusal !== undefined) return yield* refusal
  const agent = yield* agentOf(request.agent, mission)
  const { variations } = request
  const content = { leadId: lead.id, agentId: agent.id, variations }
  const evidence = yield* evidenceFor(content, request.evidence)
  const row: DraftRow = {
    id: yield* (yield* Ids).next("drf"),
    organizationId,
    leadId: lead.id,
    agentId: agent.id,
    missionId: mission?.id ?? null,
    ...reviewed,
    variations,
    queueItemId: null,
    messageId: null,
    externalMessageId: null,
    evidence,
    followUp: null,
    review: noReview,
    steps: [yield* stepNow("created", at, request.model)],
    createdBy: { userId, actorKind: kind },
    cancelledAt: null,
    dispatchedAt: null,
    createdAt: at,
    updatedAt: at
  }
  const decided: Decided = { row, lead, agent, mission }
  return decided
})

/** Cancels the lead's open draft with the agent. Fails with DRAFT_IN_FLIGHT or SEND_OUTCOME_UNKNOWN before anything is written. */
const cancelOpen = Effect.fnUntraced(function* ({ row: { agentId, leadId, organizationId } }: Decided) {
  const open = yield* (yield* DraftsRepo).findOpen(organizationId, leadId, agentId)
  if (open === undefined) return
  const held = yield* holdDraft(open)
  yield* storeChange(held, yield* decideChange(held, { _tag: "Cancel", reason: "draft_replaced" }, yield* now))
})

const announced = Effect.fnUntraced(function* ({ agent, lead, mission, row }: Decided) {
  const { policies } = yield* Actor
  yield* announce("draft.created", { draft: row, row: null }, { content_hash: contentHashOfView({ row }) })
  return newView(row, lead, agent, mission, policies?.organization ?? {})
})

type Refusal = Effect.Error<ReturnType<typeof decideDraft>> | Effect.Error<ReturnType<typeof cancelOpen>> | DraftOpen

interface Waiting extends Decided {
  readonly index: number
  readonly context: Context.Context<Actor | Execution>
}

/**
 * Stores drafts under review, inside a transaction, and returns what became of each; sends nothing. Locks the missions that are
 * named, and the leads. With `skip`, a draft whose lead another transaction holds is left out, and of several those that replace
 * another; they are undefined and must run in a list of their own.
 *
 * A draft is refused, before anything is written for it, with NOT_FOUND, MISSION_ARCHIVED, LEAD_SUPPRESSED, DRAFT_OPEN,
 * INVALID_INPUT (no agent can be told), as finding the lead is, and with `replaceOpen` also with DRAFT_IN_FLIGHT or
 * SEND_OUTCOME_UNKNOWN. Later ones see the drafts of earlier ones.
 */
export const createDrafts = Effect.fnUntraced(function* <F>(items: ReadonlyArray<DraftItem<F>>, locks: LeadLocks) {
  const { organizationId } = yield* Actor
  const drafts = yield* DraftsRepo
  const running = yield* Effect.context<Actor | Execution>()
  const requests = items.flatMap(({ request }) => (Result.isSuccess(request) ? [request.success] : []))
  const missions = yield* holdMissions(new Set(requests.flatMap(({ mission }) => mission ?? [])))
  const leads = new Map(
    yield* holdFoundLeads(
      requests.map(({ lead }) => lead),
      locks
    )
  )
  const agents = new Map<string, Result.Result<AgentRow, StoreFailure | InvalidInput | NotFound>>()
  const agentOf: Named["agentOf"] = Effect.fnUntraced(function* (named, mission) {
    const key = JSON.stringify([named, mission?.agentId])
    const read = agents.get(key) ?? (yield* Effect.result(chooseAgent(named, mission)))
    agents.set(key, read)
    return yield* Effect.fromResult(read)
  })
  const outcomes = new Map<number, Result.Result<DraftView, F | Refusal>>()
  let waiting: ReadonlyArray<Waiting> = []
  const write = Effect.fnUntraced(function* () {
    const writing = waiting
    waiting = []
    const missionsOf = writing.map(({ mission }) => mission)
    const rows = yield* bindFollowUps(
      writing.map(({ row }) => row),
      missionsOf,
      "LINKEDIN",
      yield* now
    )
    const open = rows.length === 0 ? [] : yield* drafts.insert(rows)
    for (const [place, decided] of writing.entries()) {
      const taken = open[place]
      const one = { ...decided, row: rows[place] ?? decided.row }
      if (taken !== undefined) outcomes.set(one.index, Result.fail(draftOpen(one.lead, taken)))
      else {
        const done = Effect.andThen(endDraftRequest(one.lead), announced(one))
        outcomes.set(one.index, Result.succeed(yield* Effect.provideContext(done, one.context)))
      }
    }
  })
  for (const [index, { context = running, request: read }] of items.entries()) {
    if (Result.isFailure(read)) {
      outcomes.set(index, Result.fail(read.failure))
      continue
    }
    const request = read.success
    const found = leads.get(request.lead)
    if (found === undefined || (locks === "skip" && items.length > 1 && request.replaceOpen)) continue
    if (request.replaceOpen) yield* write()
    const decided = yield* decideDraft(request, found, { missions, agentOf }).pipe(
      Effect.tap((one) => (request.replaceOpen ? cancelOpen(one) : Effect.void)),
      Effect.provideContext(context),
      Effect.result
    )
    if (Result.isFailure(decided)) {
      // A store that does not answer refuses no draft: it undoes the run.
      if (isStoreDown(decided.failure)) return yield* decided.failure
      outcomes.set(index, Result.fail(decided.failure))
      continue
    }
    const one = decided.success
    if (waiting.some(({ row }) => row.leadId === one.row.leadId)) yield* write()
    waiting = [...waiting, { ...one, index, context }]
  }
  yield* write()
  const stored = [...outcomes.values()].flatMap((one) => (Result.isSuccess(one) ? (one.success.mission ?? []) : []))
  for (const id of new Set(stored.map((mission) => mission.id))) {
    yield* (yield* MissionsRepo).touch(organizationId, id, yield* now)
  }
  return items.map((_, index) => outcomes.get(index))
})
