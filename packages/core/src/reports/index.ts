/** Mission statistics, next actions and the status of a workspace: the public names of the room. */
export { NextActionsRepo, type WaitingLead } from "./nextactions/commands/ListNextActions.ts"
export {
  type ActivityWindow,
  activityKinds,
  type MissionActivity,
  MissionReportRepo,
  MissionStatistics,
  periodOf,
  type StatCount,
  type StatKind,
  statusGroups
} from "./statistics/MissionStatistics.ts"
export {
  Backlog,
  type BacklogCount,
  type BacklogQueue,
  type BacklogSnapshot,
  backlogStates,
  type CountKind,
  type StatusCount,
  WorkspaceStatusRepo
} from "./status/WorkspaceStatus.ts"
