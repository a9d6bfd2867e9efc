/** Missions: what other parts of core may use. */
import { CreateMission } from "./commands/CreateMission.ts"
import { GetMission } from "./commands/GetMission.ts"
import { ListMissions } from "./commands/ListMissions.ts"
import { UpdateMission } from "./commands/UpdateMission.ts"
import { RestCreateMission, RestGetMission } from "./rest.ts"

export { CommandMission, type MissionRow, type MissionView, RestMission, restMissionOf } from "./Mission.ts"
export { MissionArchival } from "./MissionArchival.ts"
export { MissionIdText } from "./MissionInput.ts"
export { archivedReason, MissionStatus, refuseArchived } from "./MissionStatus.ts"
export { MissionsRepo } from "./MissionsRepo.ts"
export { holdMission, viewMission } from "./writeMission.ts"

/** The commands of this domain. */
export const commands = [CreateMission, GetMission, ListMissions, UpdateMission] as const

/** The REST operations of this domain. */
export const restCommands = [RestCreateMission, RestGetMission] as const
