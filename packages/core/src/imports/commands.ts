/** Imports: what other parts of core may use. */
import { AddImportedLeads } from "./commands/AddImportedLeads.ts"
import { CancelImport } from "./commands/CancelImport.ts"
import { GetImport } from "./commands/GetImport.ts"
import { ImportCsv } from "./commands/ImportCsv.ts"
import { ListImportedLeads } from "./commands/ListImportedLeads.ts"
import { ListImports } from "./commands/ListImports.ts"
import { ParseSalesNavSearch } from "./commands/ParseSalesNavSearch.ts"
import { PauseImport } from "./commands/PauseImport.ts"
import { ResumeImport } from "./commands/ResumeImport.ts"
import { SearchLinkedIn } from "./commands/SearchLinkedIn.ts"
import { SearchSalesNav } from "./commands/SearchSalesNav.ts"
import { SearchSalesNavFilters } from "./commands/SearchSalesNavFilters.ts"
import { UndoImport } from "./commands/UndoImport.ts"

/** The commands of this domain. */
export const commands = [
  ImportCsv,
  AddImportedLeads,
  SearchSalesNav,
  SearchSalesNavFilters,
  SearchLinkedIn,
  ParseSalesNavSearch,
  GetImport,
  ListImports,
  ListImportedLeads,
  PauseImport,
  ResumeImport,
  CancelImport,
  UndoImport
] as const
