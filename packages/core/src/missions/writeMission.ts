/** Creating and updating missions: the rules for all surfaces. */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { handleCandidates, holdAgent } from "../agents/writeAgent.ts"
import { Delegation, FieldNames } from "../kernel/command/Delegation.ts"
import { Actor, emit, ownRecord, warn } from "../kernel/command/Execution.ts"
import { DuplicateHandle, VersionConflict, WrongState } from "../kernel/failure/failures.ts"
import { canonicalJson } from "../kernel/schema/Hash.ts"
import { type AgentId, changedAt, Ids, now } from "../kernel/schema/IdsAndTime.ts"
import { OffersRepo } from "../offers/Offer.ts"
import { holdOffer } from "../offers/writeOffer.ts"
import { applyWrite, contentOf, emptyContent, mergeBrief, refuseOtherOfferTexts } from "./applyMissionWrite.ts"
import type { MissionContent, MissionRow } from "./Mission.ts"
import type { BriefInput, MissionWrite, NewMission } from "./MissionInput.ts"
import * as Status from "./MissionStatus.ts"
import { MissionArchival, MissionsRepo } from "./MissionsRepo.ts"

/** Reads a mission with everything its representations show, by id or handle. Fails with NOT_FOUND. */
export const viewMission = (idOrHandle: string) =>
  Effect.flatMap(MissionsRepo, ({ view }) => ownRecord("mission", idOrHandle, view))

/** Agent and offer after a write, both locked until the transaction ends. Fails with NOT_FOUND. */
const linksAfter = Effect.fnUntraced(function* (before: Pick<MissionRow, "agentId" | "offerId">, write: MissionWrite) {
  const agentId = write.agent_handle === undefined ? before.agentId : (yield* holdAgent(write.agent_handle)).id
  if (write.offer_id === undefined) return { agentId, offerId: before.offerId, offer: undefined }
  const offer = write.offer_id === null ? null : yield* holdOffer(write.offer_id)
  return { agentId, offerId: offer?.id ?? null, offer }
})

/** The command whose right it takes to let emails go without review: that approves all of them beforehand. */
const approving = "email.review.decide"

/** What a write of these fields includes. */
export const includedIn = ({ email_review_strategy }: MissionWrite): Readonly<Record<string, string>> =>
  email_review_strategy === "AUTO" ? { [approving]: "email_review_strategy AUTO" } : {}

/** The strategy of a new mission whose caller names none: AUTO from whoever may set it without asking, otherwise MANUAL. */
export const defaultStrategy = Effect.flatMap(Delegation, ({ allows }) =>
  Effect.map(allows(approving), (isAllowed) => (isAllowed ? ("AUTO" as const) : ("MANUAL" as const)))
)

/**
 * Creates a mission; without a handle one is made from its name. It is ACTIVE, or a DRAFT if requested or if it has no
 * agent. Fails with NOT_FOUND for an unknown agent or offer, and with DUPLICATE_HANDLE.
 */
export const createMission = Effect.fnUntraced(function* ({ brief, handle, status, ...sent }: NewMission) {
  const { organizationId } = yield* Actor
  const write = yield* Effect.fromResult(mergeBrief(sent, brief))
  const { offer, ...links } = yield* linksAfter(emptyContent, write)
  yield* Effect.fromResult(refuseOtherOfferTexts(brief, offer ?? null))
  const before = { ...emptyContent, emailReviewStrategy: yield* defaultStrategy }
  const spell = yield* FieldNames
  const content = yield* Effect.fromResult(applyWrite(before, write, links, spell))
  if (write.email_review_strategy === undefined && content.emailReviewStrategy === "MANUAL") {
    yield* warn(`${spell("email_review_strategy")} is MANUAL: AUTO takes the right to approve emails.`)
  }
  const id = yield* (yield* Ids).next("mis")
  const handles = handle === undefined ? handleCandidates(content.name, id) : [handle]
  const at = yield* now
  const mission: MissionRow = {
    id,
    organizationId,
    handle: handles[0] ?? id,
    status: status ?? (content.agentId === null ? "DRAFT" : "ACTIVE"),
    beforeArchive: null,
    ...content,
    lastUsedAt: null,
    steps: [],
    createdAt: at,
    updatedAt: at
  }
  const stored = yield* (yield* MissionsRepo).insert(mission, handles)
  if (stored === undefined) {
    return yield* new DuplicateHandle({
      handle: mission.handle,
      message: `The handle ${mission.handle} is already used by another mission. Choose another, or leave it out.`
    })
  }
  if (stored.offerId !== null) yield* (yield* OffersRepo).touch(organizationId, stored.offerId, at)
  yield* emit({
    type: "mission.created",
    subject: { type: "mission", id },
    data: { handle: stored.handle, status: stored.status }
  })
  return yield* viewMission(id)
})

/** A change of a mission. At most one of `status` and `move` is given. */
interface MissionChange {
  readonly write: MissionWrite
  readonly brief?: BriefInput | undefined
  readonly status?: Status.CommandMissionStatus | undefined
  /** The new status, one of the five, and the reason. */
  readonly move?: { readonly to: Status.MissionStatus; readonly reason?: string | undefined } | undefined
}

const lifeAfter = (
  mission: MissionRow,
  { move, status }: MissionChange,
  agentId: AgentId | null
): Result.Result<Status.MissionLifecycle, WrongState> => {
  if (move === undefined)
    return Result.succeed(status === undefined ? mission : Status.setCommandStatus(mission, status))
  return Result.filterOrFail(
    Status.changeStatus(mission, move.to),
    (life) => life.status !== "ACTIVE" || mission.status === "ACTIVE" || agentId !== null,
    () =>
      new WrongState({
        message: "A mission without an agent cannot be ACTIVE. Set an agent with mission.update first."
      })
  )
}

const emitChange = Effect.fnUntraced(function* (before: MissionRow, after: MissionRow, reason: string | undefined) {
  const subject = { type: "mission", id: after.id }
  if (canonicalJson(contentOf(before)) !== canonicalJson(contentOf(after))) {
    yield* emit({ type: "mission.updated", subject, data: { handle: after.handle } })
  }
  if (before.status !== after.status) {
    const why = reason === undefined ? {} : { reason }
    const data = { handle: after.handle, from: before.status, to: after.status, ...why }
    yield* emit({ type: "mission.status_changed", subject, data })
  }
})

/** Stores and states a change, with what it brings about. Fails with VERSION_CONFLICT when the mission changed meanwhile. */
const storeMission = Effect.fnUntraced(function* (
  mission: MissionRow,
  content: MissionContent,
  { beforeArchive, status }: Status.MissionLifecycle,
  reason: string | undefined
) {
  const at = yield* now
  const changed: MissionRow = {
    ...mission,
    ...content,
    status,
    beforeArchive,
    updatedAt: changedAt(mission.updatedAt, at)
  }
  if (!(yield* (yield* MissionsRepo).replace(changed, mission.updatedAt))) return yield* new VersionConflict()
  yield* emitChange(mission, changed, reason)
  const { id, offerId, organizationId } = changed
  if (offerId !== null && offerId !== mission.offerId) yield* (yield* OffersRepo).touch(organizationId, offerId, at)
  if (status === "ARCHIVED" && mission.status !== "ARCHIVED") {
    yield* (yield* MissionArchival).onArchived(organizationId, id)
  }
  return changed
})

/**
 * Updates name, agent, brief, offer or status of a mission; without a change nothing is written. On archiving,
 * {@link MissionArchival} cancels unsent messages; a restored mission is paused, or the draft it was. Fails with
 * WRONG_STATE for a status change that is not allowed, and for an active mission without an agent.
 */
export const updateMission = Effect.fnUntraced(function* (idOrHandle: string, change: MissionChange) {
  const { brief } = change
  const write = yield* Effect.fromResult(mergeBrief(change.write, brief))
  const view = yield* viewMission(idOrHandle)
  const { mission } = view
  const { offer, ...links } = yield* linksAfter(mission, write)
  yield* Effect.fromResult(refuseOtherOfferTexts(brief, offer === undefined ? view.offer : offer))
  const content = yield* Effect.fromResult(applyWrite(mission, write, links, yield* FieldNames))
  const life = yield* Effect.fromResult(lifeAfter(mission, change, content.agentId))
  const same = life.status === mission.status && canonicalJson(content) === canonicalJson(contentOf(mission))
  if (same) return view

  const changed = yield* storeMission(mission, content, life, change.move?.reason)
  if (changed.status === "PAUSED" && mission.status === "ARCHIVED") {
    yield* warn("The mission is restored as paused: it sends nothing until it is resumed.")
  }
  return yield* viewMission(changed.id)
})
