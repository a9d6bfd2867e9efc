/** Missions of organizations: the port. Every method sees one organization only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { MissionRow, MissionView } from "./Mission.ts"
import type { CommandMissionStatus } from "./MissionStatus.ts"

/** Which missions of a list: `agent` is a handle or an id, `query` a part of name or handle in any case. */
export interface MissionFilter {
  readonly status: CommandMissionStatus | undefined
  readonly offerId: string | undefined
  readonly agent: string | undefined
  readonly query: string | undefined
}

/** A mission that may be deleted, and what belongs to it. An import counts while it is running or paused. */
export interface MissionToDelete {
  readonly mission: MissionRow
  readonly leads: number
  readonly openDrafts: number
  readonly unfinishedImports: number
}

/** Stores missions. Fails with UNAVAILABLE when the store cannot be reached. */
export class MissionsRepo extends Context.Service<
  MissionsRepo,
  {
    /** A mission by its id or its handle, alone. */
    readonly findByIdOrHandle: (
      organizationId: string,
      idOrHandle: string
    ) => Effect.Effect<MissionRow | undefined, Failure>
    /**
     * As `findByIdOrHandle`, and keeps the mission from being changed by others until the transaction ends: for what must
     * not happen to a mission that is being archived.
     */
    readonly hold: (organizationId: string, idOrHandle: string) => Effect.Effect<MissionRow | undefined, Failure>
    /** As `hold`, and keeps everything else from being added to it as well. */
    readonly holdForDeletion: (
      organizationId: string,
      idOrHandle: string
    ) => Effect.Effect<MissionToDelete | undefined, Failure>
    /**
     * Deletes a mission that is held and has no leads, with its imports. Drafts that were sent or cancelled stay and
     * belong to no mission.
     */
    readonly remove: (organizationId: string, missionId: string) => Effect.Effect<void, Failure>
    /** A mission with everything that its representations show. */
    readonly view: (organizationId: string, idOrHandle: string) => Effect.Effect<MissionView | undefined, Failure>
    /** Newest first. */
    readonly list: (
      organizationId: string,
      filter: MissionFilter,
      page: PageRequest
    ) => Effect.Effect<Page<MissionView>, Failure>
    /** Stores a new mission under the first of `handles` that is free, and answers it; undefined when none is free. */
    readonly insert: (
      mission: MissionRow,
      handles: ReadonlyArray<string>
    ) => Effect.Effect<MissionRow | undefined, Failure>
    /**
     * Replaces content and status of a mission, unless it changed since `seenUpdatedAt`: answers false then. `lastUsedAt`
     * stays as it is stored.
     */
    readonly replace: (mission: MissionRow, seenUpdatedAt: string) => Effect.Effect<boolean, Failure>
    /** Notes that the mission was used at `at`; an earlier instant than the one stored changes nothing. */
    readonly touch: (organizationId: string, missionId: string, at: string) => Effect.Effect<void, Failure>
  }
>()("@svc/core/missions/MissionsRepo") {}
