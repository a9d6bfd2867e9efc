/** Imports from files and searches: the public names of the room. */

export { ImportType } from "../missions/MissionInput.ts"

export { fileCommand, readableInput } from "./commands/ImportCsv.ts"

export { ImportMission, RefusedRow } from "./Import.ts"
export {
  addOutcomes,
  countEnrolled,
  type ImportFile,
  type ImportRow,
  type ImportRun,
  ImportState
} from "./ImportRun.ts"
export * as ImportRunner from "./ImportRunner.ts"
export { ImportsRepo, type ListedImportRow, type RowFilter, undoneReason } from "./ImportsRepo.ts"

export { fingerprint } from "./salesnav/SalesNavSearch.ts"
