/** Imports from files and searches: the public names of the room. */

export { ImportType } from "../missions/MissionInput.ts"

export { fileCommand, readableInput } from "./commands/ImportCsv.ts"

export {
  addOutcomes,
  countEnrolled,
  type ImportFile,
  ImportMission,
  type ImportRow,
  type ImportRun,
  ImportState,
  RefusedRow
} from "./ImportRun.ts"
export * as ImportRunner from "./ImportRunner.ts"
export { ImportsRepo, type ListedImportRow, type RowFilter, undoneReason } from "./ImportsRepo.ts"

export { fingerprint } from "./salesnav/SalesNavSearch.ts"
