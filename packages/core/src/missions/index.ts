/** Missions: the public names of the room. */

export { contentOf } from "./applyMissionWrite.ts"
export * from "./failures.ts"
export {
  ImportRecord,
  type MissionContent,
  type MissionRow,
  MissionStats,
  type MissionStep,
  type MissionView,
  type RestMission,
  shownImports
} from "./Mission.ts"
export { finishedStatuses, MissionStatus } from "./MissionStatus.ts"
export { MissionsRepo, type MissionToDelete, type WaitingMessages } from "./MissionsRepo.ts"
