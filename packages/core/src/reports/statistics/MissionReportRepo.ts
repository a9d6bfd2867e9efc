/** The activity of a mission: a port. Every method sees only one organization. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { MissionId, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import type { MissionStatus } from "../../missions/MissionStatus.ts"
import type { PeriodUnit, StatCount } from "./missionActivity.ts"

/** The time range to count: from `from` and before `to`; undefined is open. */
export interface ActivityWindow {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly unit: PeriodUnit
}

/** The activity of a mission, counted by kind and period, in no order; counts of one kind and period add up. */
export interface MissionActivity {
  readonly id: MissionId
  readonly handle: string
  readonly name: string
  readonly status: MissionStatus
  readonly counts: ReadonlyArray<StatCount>
}

/** Reads leads, drafts, messages and events of a mission. Fails with UNAVAILABLE when the store is unreachable. */
export class MissionReportRepo extends Context.Service<
  MissionReportRepo,
  {
    /**
     * Counts activity by the rules of `missionActivity.ts`, of one mission, by id or handle, or of all. Empty if the mission
     * does not exist.
     */
    readonly activity: (
      organizationId: OrganizationId,
      idOrHandle: string | undefined,
      window: ActivityWindow
    ) => Effect.Effect<ReadonlyArray<MissionActivity>, StoreFailure>
  }
>()("@svc/core/missions/MissionReportRepo") {}
