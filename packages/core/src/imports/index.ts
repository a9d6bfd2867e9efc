/** Imports from files and searches: the public names of the room. */

export { ImportType } from "../missions/MissionInput.ts"
export { linkedInFingerprint, linkedInResultsPerPage, parseLinkedInSearchUrl } from "./Audience.ts"
export { fileCommand, readableInput, uploadAsInput } from "./commands/ImportCsv.ts"
export { ListImportedLeads } from "./commands/importedLeads.ts"
export { GetImport } from "./commands.ts"
export { Upload } from "./csv/CsvRows.ts"
export { csvLine, delimiters } from "./csv/csvDialect.ts"
export {
  addOutcomes,
  countEnrolled,
  type ImportFile,
  ImportMission,
  type ImportRow,
  type ImportRun,
  ImportState,
  isRefused,
  noCounts,
  RefusedRow,
  rowsSeen,
  shownState
} from "./ImportRun.ts"
export * as ImportRunner from "./ImportRunner.ts"
export { ImportsRepo, type ListedImportRow, type RowFilter, undoneReason } from "./ImportsRepo.ts"
export { uploadInterrupted } from "./importFile.ts"
export { fingerprint, parseSalesNavUrl, resultsPerPage } from "./salesnav/SalesNavSearch.ts"
