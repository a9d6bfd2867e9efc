/** Creating and changing missions: the rules that commands and REST share. Source: G1, G31; catalogue 4.1. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Actor } from "../Actor.ts"
import { type AgentsRepo, handleCandidates, holdAgent } from "../agents/index.ts"
import { type Execution, emit, warn } from "../Execution.ts"
import { type Failure, fail, notFound } from "../Failure.ts"
import { canonicalJson } from "../Hash.ts"
import { Ids } from "../Ids.ts"
import { holdOffer, OffersRepo } from "../offers/index.ts"
import { changedAt, now } from "../Time.ts"
import { applyWrite, contentOf, emptyContent, refuseOtherOfferTexts } from "./applyMissionWrite.ts"
import type { MissionRow, MissionView } from "./Mission.ts"
import { MissionArchival } from "./MissionArchival.ts"
import type { BriefInput, MissionWrite } from "./MissionInput.ts"
import {
  archivedReason,
  type CommandMissionStatus,
  type MissionLife,
  type MissionStatus,
  moveTo,
  setCommandStatus
} from "./MissionStatus.ts"
import { MissionsRepo } from "./MissionsRepo.ts"

/** Reads a mission with what its representations show, by id or handle. Fails with NOT_FOUND. */
export const viewMission = Effect.fnUntraced(function* (
  idOrHandle: string
): Effect.fn.Return<MissionView, Failure, Actor | MissionsRepo> {
  const { organizationId } = yield* Actor
  return (
    (yield* (yield* MissionsRepo).view(organizationId, idOrHandle)) ??
    (yield* notFound("mission", idOrHandle.slice(0, 64)))
  )
})

/**
 * Reads a mission's row and keeps it from being changed by others until the transaction ends: for what an archived mission
 * forbids. Fails with NOT_FOUND.
 */
export const holdMission = Effect.fnUntraced(function* (
  idOrHandle: string
): Effect.fn.Return<MissionRow, Failure, Actor | MissionsRepo> {
  const { organizationId } = yield* Actor
  return (
    (yield* (yield* MissionsRepo).hold(organizationId, idOrHandle)) ??
    (yield* notFound("mission", idOrHandle.slice(0, 64)))
  )
})

/** The links of a write: agent and offer must exist, and both stay until the transaction ends. */
const linksAfter = Effect.fnUntraced(function* (
  before: Pick<MissionRow, "agentId" | "offerId">,
  write: MissionWrite
): Effect.fn.Return<
  Pick<MissionRow, "agentId" | "offerId"> & { readonly offer: MissionView["offer"] | undefined },
  Failure,
  Actor | AgentsRepo | OffersRepo
> {
  const agentId = write.agentHandle === undefined ? before.agentId : (yield* holdAgent(write.agentHandle)).id
  if (write.offerId === undefined) return { agentId, offerId: before.offerId, offer: undefined }
  const offer = write.offerId === null ? null : yield* holdOffer(write.offerId)
  return { agentId, offerId: offer?.id ?? null, offer }
})

/** What a new mission is made of. */
export interface NewMission {
  readonly write: MissionWrite & { readonly name: string }
  readonly brief: BriefInput | undefined
  readonly handle: string | undefined
  readonly status: "ACTIVE" | "DRAFT" | undefined
}

/**
 * Creates a mission; without a handle one is made from its name. It begins ACTIVE, or as a DRAFT when that is asked for or
 * no agent is named. Fails with NOT_FOUND for an agent or offer that is not there, and with DUPLICATE_HANDLE.
 */
export const createMission = Effect.fnUntraced(function* ({
  brief,
  handle,
  status,
  write
}: NewMission): Effect.fn.Return<
  MissionView,
  Failure,
  Actor | AgentsRepo | Execution | Ids | MissionsRepo | OffersRepo
> {
  const { organizationId } = yield* Actor
  const { offer, ...links } = yield* linksAfter(emptyContent, write)
  yield* Effect.fromResult(refuseOtherOfferTexts(brief, offer ?? null))
  const content = yield* Effect.fromResult(applyWrite(emptyContent, write, links))
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
    createdAt: at,
    updatedAt: at
  }
  const stored = yield* (yield* MissionsRepo).insert(mission, handles)
  if (stored === undefined) {
    return yield* fail(
      "DUPLICATE_HANDLE",
      `The handle ${mission.handle} belongs to another mission. Choose another, or leave it out.`
    )
  }
  if (stored.offerId !== null) yield* (yield* OffersRepo).touch(organizationId, stored.offerId, at)
  yield* emit({
    type: "mission.created",
    subject: { type: "mission", id },
    data: { handle: stored.handle, status: stored.status }
  })
  return yield* viewMission(id)
})

/** What a change of a mission says. At most one of `status` and `move` is given. */
export interface MissionChange {
  readonly write: MissionWrite
  readonly brief: BriefInput | undefined
  readonly status: CommandMissionStatus | undefined
  /** One of the five statuses to go to, and why. */
  readonly move?: { readonly to: MissionStatus; readonly reason?: string | undefined } | undefined
}

const lifeAfter = (
  mission: MissionRow,
  { move, status }: MissionChange,
  agentId: string | null
): Result.Result<MissionLife, Failure> => {
  if (move === undefined) return Result.succeed(status === undefined ? mission : setCommandStatus(mission, status))
  return Result.flatMap(moveTo(mission, move.to), (life) =>
    life.status === "ACTIVE" && mission.status !== "ACTIVE" && agentId === null
      ? Result.fail(
          fail("WRONG_STATE", "A mission without an agent cannot become ACTIVE. Name one with mission.update first.")
        )
      : Result.succeed(life)
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

/**
 * Changes name, agent, brief, offer or status of a mission; without a change nothing is written. Archiving hands what is
 * not sent yet to {@link MissionArchival}; a mission that comes back is paused, or the draft it was. Fails with
 * WRONG_STATE for a move that G1 does not list, and for an active mission without an agent.
 */
export const updateMission = Effect.fnUntraced(function* (
  idOrHandle: string,
  change: MissionChange
): Effect.fn.Return<
  MissionView,
  Failure,
  Actor | AgentsRepo | Execution | MissionArchival | MissionsRepo | OffersRepo
> {
  const { brief, write } = change
  const view = yield* viewMission(idOrHandle)
  const { mission } = view
  const { offer, ...links } = yield* linksAfter(mission, write)
  yield* Effect.fromResult(refuseOtherOfferTexts(brief, offer === undefined ? view.offer : offer))
  const content = yield* Effect.fromResult(applyWrite(mission, write, links))
  const life = yield* Effect.fromResult(lifeAfter(mission, change, content.agentId))
  const same = life.status === mission.status && canonicalJson(content) === canonicalJson(contentOf(mission))
  if (same) return view

  const at = yield* now
  const changed: MissionRow = {
    ...mission,
    ...content,
    status: life.status,
    beforeArchive: life.beforeArchive,
    updatedAt: changedAt(mission.updatedAt, at)
  }
  if (!(yield* (yield* MissionsRepo).replace(changed, mission.updatedAt))) return yield* fail("VERSION_CONFLICT")
  yield* emitChange(mission, changed, change.move?.reason)
  const { id, offerId, organizationId } = changed
  if (offerId !== null && offerId !== mission.offerId) yield* (yield* OffersRepo).touch(organizationId, offerId, at)
  if (changed.status === "ARCHIVED" && mission.status !== "ARCHIVED") {
    yield* (yield* MissionArchival).onArchived(organizationId, id, archivedReason)
  }
  if (changed.status === "PAUSED" && mission.status === "ARCHIVED") {
    yield* warn("The mission is restored as paused: nothing is sent for it by itself.")
  }
  return yield* viewMission(id)
})
