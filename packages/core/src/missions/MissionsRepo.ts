/** The repository of missions: a port. Every method sees only one organization. */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { type Execution, ownRecord } from "../kernel/command/Execution.ts"
import type { StoreEffect, StoreMethod } from "../kernel/failure/failures.ts"
import type { InstantText, MissionId, OfferId } from "../kernel/schema/IdsAndTime.ts"
import type { Page, PageRequest } from "../kernel/schema/Page.ts"
import type { MissionRow, MissionStep, MissionView } from "./Mission.ts"
import type { CommandMissionStatus } from "./MissionStatus.ts"

/** Filters of a list; `agent` is a handle or an id, `query` part of the name or handle, ignoring case. */
export interface MissionFilter {
  readonly status: CommandMissionStatus | undefined
  readonly offerId: OfferId | undefined
  readonly agent: string | undefined
  readonly query: string | undefined
}

/** A mission with the number of its leads, open drafts, emails that may still be sent, and running or paused imports. */
export interface MissionToDelete {
  readonly mission: MissionRow
  readonly leads: number
  readonly openDrafts: number
  readonly openEmails: number
  readonly unfinishedImports: number
}

/** The unsent messages of a mission. */
export interface WaitingMessages {
  /** Drafts under review. */
  readonly toReview: number
  /** Approved messages that are sent only while the mission is active. */
  readonly held: number
  /** Messages of send_now that wait for provider, person or relation: they are sent whatever the mission's status. */
  readonly bypassing: number
  /** Messages with an unknown outcome. */
  readonly ambiguous: number
}

/** Stores missions. Fails with UNAVAILABLE when the store cannot be reached. */
export class MissionsRepo extends Context.Service<
  MissionsRepo,
  {
    /** A mission by id or handle. */
    readonly findByIdOrHandle: StoreMethod<[idOrHandle: string], MissionRow | undefined>
    /**
     * Like `findByIdOrHandle`, but locks the mission until the transaction ends, for what must not happen to a mission
     * that is being archived.
     */
    readonly hold: StoreMethod<[idOrHandle: string], MissionRow | undefined>
    /** Like `hold`, but also prevents that anything is added to it. */
    readonly holdForDeletion: StoreMethod<[idOrHandle: string], MissionToDelete | undefined>
    /**
     * Deletes a locked mission without leads, and its imports. Sent and cancelled drafts stay, without a mission.
     */
    readonly remove: StoreMethod<[missionId: MissionId], void>
    /** Counts the unsent messages. */
    readonly waiting: StoreMethod<[missionId: MissionId], WaitingMessages>
    /** A mission with everything its representations show. */
    readonly view: StoreMethod<[idOrHandle: string], MissionView | undefined>
    /** Newest first. */
    readonly list: StoreMethod<[filter: MissionFilter, page: PageRequest], Page<MissionView>>
    /** Stores a new mission under the first free handle and returns it; undefined if none is free. */
    readonly insert: (mission: MissionRow, handles: ReadonlyArray<string>) => StoreEffect<MissionRow | undefined>
    /**
     * Replaces content and status of a mission; returns false if it changed since `seenUpdatedAt`. `lastUsedAt` stays as
     * stored.
     */
    readonly replace: (mission: MissionRow, seenUpdatedAt: InstantText) => StoreEffect<boolean>
    /** Replaces the steps of a locked mission; `updatedAt` stays. */
    readonly saveSteps: StoreMethod<[missionId: MissionId, steps: ReadonlyArray<MissionStep>], void>
    /** Records that the mission was used at `at`; an earlier instant than the stored one changes nothing. */
    readonly touch: StoreMethod<[missionId: MissionId, at: string], void>
  }
>()("@svc/core/missions/MissionsRepo") {}

// The archiving of a mission and its queued messages: a port.
//
// Drafts and the queue belong to a later room, which implements this.

/** Runs inside the transaction of the archiving, and emits events for its changes. */
export class MissionArchival extends Context.Service<
  MissionArchival,
  {
    /**
     * Called when a mission is archived: cancels unsent messages and returns approved drafts to review. Drafts under review
     * stay.
     */
    readonly onArchived: StoreMethod<[missionId: MissionId], void, never, Execution>
  }
>()("@svc/core/missions/MissionArchival") {}

/**
 * Fails with NOT_FOUND if the list of a mission is empty because the mission, by id or handle, does not exist. It is only
 * looked up if the list is empty.
 */
export const refuseUnknownMission = Effect.fnUntraced(function* (
  mission: string | undefined,
  listed: ReadonlyArray<unknown>
) {
  if (mission === undefined || listed.length > 0) return
  yield* ownRecord("mission", mission, (yield* MissionsRepo).findByIdOrHandle)
})
