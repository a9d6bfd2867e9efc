/** The commands that read across the other rooms. */

import { ForecastQueue } from "./forecast/queueForecast.ts"
import { ListNextActions } from "./nextactions/commands/ListNextActions.ts"
import { ReadMissionActivity, ReadMissionStats } from "./statistics/commands/ReadMissionStats.ts"
import { GetWorkspaceStatus } from "./status/WorkspaceStatus.ts"

/** Next actions. */
export const leadCommands = [ListNextActions] as const

/** Statistics of missions. */
export const missionCommands = [ReadMissionStats, ReadMissionActivity] as const

/** The status of the workspace. */
export const workspaceCommands = [GetWorkspaceStatus] as const

/** What the LinkedIn queue will do. */
export const queueCommands = [ForecastQueue] as const
