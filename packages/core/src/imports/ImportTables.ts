/** Rows of imports as the stores keep them, and their tables in the in-memory store. */
import { table } from "../MemoryStore.ts"
import type { ImportRow, ImportRun } from "./ImportRun.ts"

/** Imports by id. */
export const imports = table<ImportRun>("imports")

/** Rows of imports by `${importId}/${position}`. */
export const importRows = table<ImportRow>("import_rows")
