/** Rows of imports as the stores keep them, and their tables in the in-memory store. */
import { type Tables, table } from "../MemoryStore.ts"
import type { ImportRow, ImportRun } from "./ImportRun.ts"

/** Imports by id. */
export const imports = table<ImportRun>("imports")

/** Rows of imports by `${importId}/${position}`. */
export const importRows = table<ImportRow>("import_rows")

/** Part of erasing people: rows lose the id of their leads, and refused rows that hold one of the texts their cells. */
export const forgetImportRows = (
  tables: Tables,
  organizationId: string,
  leadIds: ReadonlyArray<string>,
  texts: ReadonlyArray<string>
): void => {
  const needles = texts.map((text) => JSON.stringify(text.toLowerCase()).slice(1, -1))
  for (const row of tables.all(importRows, organizationId)) {
    const isTheirs = row.leadId !== null && leadIds.includes(row.leadId)
    const cells = row.source === null ? "" : JSON.stringify(row.source).toLowerCase()
    const isNamed = needles.some((needle) => needle !== "" && cells.includes(needle))
    if (!isTheirs && !isNamed) continue
    const leadId = isTheirs ? null : row.leadId
    tables.set(importRows, organizationId, `${row.importId}/${row.position}`, { ...row, leadId, source: null })
  }
}
