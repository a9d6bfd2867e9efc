/** Missions: what other parts of core may use. */
import { CompleteMission } from "./commands/CompleteMission.ts"
import { CreateMission } from "./commands/CreateMission.ts"
import { DeleteMission } from "./commands/DeleteMission.ts"
import { GetMission } from "./commands/GetMission.ts"
import { ListMissions } from "./commands/ListMissions.ts"
import { PauseMission } from "./commands/PauseMission.ts"
import { ReadMissionStats } from "./commands/ReadMissionStats.ts"
import { ResumeMission } from "./commands/ResumeMission.ts"
import { UpdateMission } from "./commands/UpdateMission.ts"
import { RestCreateMission, RestGetMission, RestListMissions, RestUpdateMission } from "./rest.ts"

export { CommandMission, type MissionRow, type MissionView, RestMission, restMissionOf } from "./Mission.ts"
export { MissionArchival } from "./MissionArchival.ts"
export { MissionIdText } from "./MissionInput.ts"
export { MissionReportRepo } from "./MissionReportRepo.ts"
export { archivedReason, MissionStatus, refuseArchived } from "./MissionStatus.ts"
export { MissionsRepo } from "./MissionsRepo.ts"
export { holdMission, viewMission } from "./writeMission.ts"

/** The commands of this domain. */
export const commands = [
  CreateMission,
  GetMission,
  ListMissions,
  UpdateMission,
  PauseMission,
  ResumeMission,
  CompleteMission,
  DeleteMission,
  ReadMissionStats
] as const

/** The REST operations of this domain. */
export const restCommands = [RestListMissions, RestCreateMission, RestGetMission, RestUpdateMission] as const
