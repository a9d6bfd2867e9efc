/** Schema of imports. */
import type { SchemaPart } from "../SchemaPart.ts"
import { importRowsIndexes } from "./import_rows.indexes.ts"
import { importRowsTable } from "./import_rows.table.ts"
import { importsIndexes } from "./imports.indexes.ts"
import { importsTable } from "./imports.table.ts"

/** Imports and their rows. */
export const importsSchema: SchemaPart = {
  tables: [importsTable, importRowsTable],
  indexes: [importsIndexes, importRowsIndexes],
  functions: []
}
