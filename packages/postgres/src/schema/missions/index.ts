/** Schema of missions. */
import type { SchemaPart } from "../SchemaPart.ts"
import { missionsIndexes } from "./missions.indexes.ts"
import { missionsTable } from "./missions.table.ts"

/** Missions. */
export const missionsSchema: SchemaPart = {
  tables: [missionsTable],
  indexes: [missionsIndexes],
  functions: []
}
