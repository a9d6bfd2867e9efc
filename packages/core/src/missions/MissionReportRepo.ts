/** What happened in a mission and what waits in it: the port. Every method sees one organization only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { MissionStatus } from "./MissionStatus.ts"
import type { PeriodUnit, StatCount } from "./missionActivity.ts"

/** Messages of a mission that are not sent yet. */
export interface WaitingMessages {
  /** Drafts under review. */
  readonly toReview: number
  /** Approved messages that go out only while the mission is active. */
  readonly held: number
  /** Messages of send_now that wait for provider, person or relation: they go out whatever the mission's status. */
  readonly bypassing: number
  /** Messages of which nobody knows whether they were sent. */
  readonly ambiguous: number
}

/** Which moments to count: from `from` on and before `to`, ISO instants; undefined is without end. */
export interface ActivityWindow {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly unit: PeriodUnit
}

/** What happened in a mission, counted by kind and period, in no order; counts of one kind and period add up. */
export interface MissionActivity {
  readonly id: string
  readonly handle: string
  readonly name: string
  readonly status: MissionStatus
  readonly counts: ReadonlyArray<StatCount>
}

/** Reads across leads, drafts, messages and events of a mission. Fails with UNAVAILABLE when the store cannot be reached. */
export class MissionReportRepo extends Context.Service<
  MissionReportRepo,
  {
    /** Counts what is not sent yet. */
    readonly waiting: (organizationId: string, missionId: string) => Effect.Effect<WaitingMessages, Failure>
    /** Counts moments of a mission by id or handle, by the rules of `missionActivity.ts`; undefined without the mission. */
    readonly activity: (
      organizationId: string,
      idOrHandle: string,
      window: ActivityWindow
    ) => Effect.Effect<MissionActivity | undefined, Failure>
  }
>()("@svc/core/missions/MissionReportRepo") {}
