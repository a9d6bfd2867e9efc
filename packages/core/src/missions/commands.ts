/** The commands for missions. */

import { CompleteMission } from "./commands/CompleteMission.ts"
import { CreateMission } from "./commands/CreateMission.ts"
import { DeleteMission } from "./commands/DeleteMission.ts"
import { GetMission } from "./commands/GetMission.ts"
import { ListMissions } from "./commands/ListMissions.ts"
import { PauseMission } from "./commands/PauseMission.ts"
import { ResumeMission } from "./commands/ResumeMission.ts"
import { UpdateMission } from "./commands/UpdateMission.ts"

/** The commands of this domain. */
export const commands = [
  CreateMission,
  GetMission,
  ListMissions,
  UpdateMission,
  PauseMission,
  ResumeMission,
  CompleteMission,
  DeleteMission
] as const
