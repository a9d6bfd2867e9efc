/** Imports: what other parts of core may use. */
import { GetImport } from "./commands/GetImport.ts"
import { ListImports } from "./commands/ListImports.ts"
import { ParseSalesNavSearch } from "./commands/ParseSalesNavSearch.ts"
import { SearchSalesNav } from "./commands/SearchSalesNav.ts"

export { ImportState, ImportType, staleAfterMillis } from "./ImportRun.ts"
export { ImportRunner } from "./ImportRunner.ts"
export { ImportsRepo } from "./ImportsRepo.ts"
export { restCommands } from "./rest.ts"

/** The commands of this domain. */
export const commands = [SearchSalesNav, ParseSalesNavSearch, GetImport, ListImports] as const
