/** The in-memory tables of imports. */

import type { ImportRow, ImportRun } from "@svc/core/imports"
import { compareText } from "@svc/core/internal"
import type { Documents } from "@svc/core/leads"
import { type Tables, table } from "../MemoryStore.ts"

/** Imports by id. */
export const imports = table<ImportRun>("imports")

/** Rows of imports by `${importId}/${position}`. */
export const importRows = table<ImportRow>("import_rows")

/** Rows with cells that are not of the leads, as documents that may name them. */
export const refusedRows = (tables: Tables, leadIds: ReadonlyArray<string>): Documents["rows"] =>
  tables
    .where(importRows, ({ leadId, source }) => source !== null && !(leadId !== null && leadIds.includes(leadId)))
    .toSorted((a, b) => compareText(a.importId, b.importId) || a.position - b.position)
    .flatMap(({ importId, outcome, position, source }) => {
      const run = tables.get(imports, importId)
      if (run === undefined) return []
      const { createdAt, file, name, type } = run
      const shown = { import_id: importId, lead_id: null, type, name, position, outcome, created_at: createdAt }
      return [{ ...shown, cells: source, columns: file?.columns ?? null }]
    })

/** Part of erasing people: removes their ids and cells from their rows, and the cells of refused rows that name them. */
export const eraseImportRows = (tables: Tables, leadIds: ReadonlyArray<string>, named: Documents["rows"]): void => {
  const refused = new Set(named.map(({ import_id, position }) => `${import_id}/${position}`))
  tables.updateWhere(
    importRows,
    ({ importId, leadId, position }) =>
      refused.has(`${importId}/${position}`) || (leadId !== null && leadIds.includes(leadId)),
    (row) => ({ ...row, leadId: row.leadId !== null && leadIds.includes(row.leadId) ? null : row.leadId, source: null })
  )
}
