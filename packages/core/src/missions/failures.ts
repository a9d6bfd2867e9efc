/** The failures of missions. */

import { Failure } from "../kernel/failure/Failure.ts"
import type { MissionId } from "../kernel/schema/IdsAndTime.ts"

/** The mission is archived. */
export class MissionArchived extends Failure.define("MISSION_ARCHIVED") {}

/** The mission has leads, open drafts, unsent emails or an unfinished import. */
export class MissionInUse extends Failure.define("MISSION_IN_USE")<{ readonly missionId: MissionId }> {}
