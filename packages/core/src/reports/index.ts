/** Mission statistics, next actions and the status of a workspace: the public names of the room. */
export * from "./ReportsRepo.ts"
export {
  type ActivityWindow,
  type MissionActivity,
  MissionStatistics,
  type StatCount,
  type StatKind
} from "./statistics/MissionStatistics.ts"
export type { WrittenGroup } from "./statistics/whatWorks.ts"
