/** Reads across the other rooms: mission statistics, next actions, the status of a workspace, the backlog. */

import * as Context from "effect/Context"
import type { StoreEffect, StoreMethod } from "../kernel/failure/failures.ts"
import type { DraftId, InstantText } from "../kernel/schema/IdsAndTime.ts"
import type { PlannedFollowUp } from "../leads/followUp.ts"
import type { LeadRow } from "../leads/Lead.ts"
import type { ActionKind } from "../leads/NextAction.ts"
import type { ActivityWindow, MissionActivity } from "./statistics/MissionStatistics.ts"

/** A lead of the work list. Unknown texts are empty. */
export interface WaitingLead extends Pick<LeadRow, "id" | "name" | "jobTitle" | "company" | "status" | "score"> {
  readonly action: ActionKind
  /** The follow-up that is due; null unless that is the action. */
  readonly followUp: PlannedFollowUp | null
  /** The newest draft that is neither sent nor cancelled. */
  readonly draftId: DraftId | null
  /** The requested mission, or the mission, neither archived nor completed, that the lead was added to last. */
  readonly mission: { readonly id: string; readonly handle: string; readonly name: string } | null
}

/**
 * What is counted: `queue` are the messages on their way, `agents` those not deleted, and `accounts` the LinkedIn accounts
 * of these agents at one gateway that are stored.
 */
export type CountKind = "offers" | "leads" | "missions" | "agents" | "drafts" | "queue" | "imports" | "accounts"

/** How many of a kind are in a state. Offers are `ready` or `draft`, agents `live`. */
export interface StatusCount {
  readonly kind: CountKind
  readonly state: string
  readonly count: number
}

/** What a look at the store found; states without records are left out. */
export interface WorkspaceCounts {
  /** Undefined for an organization that a host program made up. */
  readonly organizationName: string | undefined
  readonly counts: ReadonlyArray<StatusCount>
}

/** The queues and the states that are counted; finished items are not. */
export const backlogStates = {
  linkedin: ["queued", "waiting_relation", "sending", "ambiguous"],
  email: ["queued", "sending"],
  webhook: ["pending"],
  import: ["running"]
} as const

/** A queue of the backlog. */
export type BacklogQueue = keyof typeof backlogStates

/** The number of items of a queue in a state. */
export interface BacklogCount {
  readonly queue: BacklogQueue
  readonly state: string
  readonly count: number
}

/** The backlog at one moment; zero counts are omitted. */
export interface BacklogSnapshot {
  readonly waiting: ReadonlyArray<BacklogCount>
  /** Database connections of all processes of the service, by state; none without a database server. */
  readonly connections: ReadonlyArray<{ readonly state: string; readonly count: number }>
}

/** Reads reports. Fails with UNAVAILABLE when the store cannot be reached. */
export class ReportsRepo extends Context.Service<
  ReportsRepo,
  {
    /**
     * Counts activity by the rules of `MissionStatistics.ts`, of one mission, by id or handle, or of all. Empty if the mission
     * does not exist.
     */
    readonly missionActivity: StoreMethod<
      [idOrHandle: string | undefined, window: ActivityWindow],
      ReadonlyArray<MissionActivity>
    >
    /**
     * The first leads at an instant by urgency of {@link ActionKind}, then by score, then by id, in the order of
     * `LeadsRepo.search` sorted by `action`. `mission` is an id or a handle; without it all leads are included.
     */
    readonly nextActions: StoreMethod<
      [mission: string | undefined, limit: number, at: string],
      ReadonlyArray<WaitingLead>
    >
    /** In one statement. A running import that reported nothing since `staleBefore` counts as interrupted. */
    readonly status: StoreMethod<
      [question: { readonly staleBefore: InstantText; readonly gateway: string }],
      WorkspaceCounts
    >
    /** Of all organizations together, in one statement. */
    readonly backlog: StoreEffect<BacklogSnapshot>
  }
>()("@svc/core/reports/ReportsRepo") {}
