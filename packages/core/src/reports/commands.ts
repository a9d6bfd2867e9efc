/** The commands that read across the other rooms. */
import { ListNextActions } from "./nextactions/commands/ListNextActions.ts"
import { ReadMissionStats } from "./statistics/commands/ReadMissionStats.ts"
import { GetWorkspaceStatus } from "./status/commands/GetWorkspaceStatus.ts"

/** Next actions. */
export const leadCommands = [ListNextActions] as const

/** Statistics of missions. */
export const missionCommands = [ReadMissionStats] as const

/** The status of the workspace. */
export const workspaceCommands = [GetWorkspaceStatus] as const
