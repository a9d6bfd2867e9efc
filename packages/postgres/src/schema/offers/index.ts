/** Schema of offers. */
import type { SchemaPart } from "../SchemaPart.ts"
import { offersIndexes } from "./offers.indexes.ts"
import { offersTable } from "./offers.table.ts"

/** Offers. */
export const offersSchema: SchemaPart = {
  tables: [offersTable],
  indexes: [offersIndexes],
  functions: []
}
