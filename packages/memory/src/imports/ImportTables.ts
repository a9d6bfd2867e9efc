/** The in-memory tables of imports. */

import type { ImportRow, ImportRun } from "@svc/core/imports"
import type { mentions } from "@svc/core/leads"
import { type Tables, table } from "../MemoryStore.ts"

/** Imports by id. */
export const imports = table<ImportRun>("imports")

/** Rows of imports by `${importId}/${position}`. */
export const importRows = table<ImportRow>("import_rows")

/** Part of erasing people: removes their ids from rows, and the cells of refused rows that name them. */
export const eraseImportRows = (
  tables: Tables,
  leadIds: ReadonlyArray<string>,
  isNamed: ReturnType<typeof mentions>
): void => {
  for (const row of tables.all(importRows)) {
    const isTheirs = row.leadId !== null && leadIds.includes(row.leadId)
    const columns = tables.get(imports, row.importId)?.file?.columns
    if (!isTheirs && !isNamed(row.source, columns)) continue
    const leadId = isTheirs ? null : row.leadId
    tables.set(importRows, `${row.importId}/${row.position}`, { ...row, leadId, source: null })
  }
}
