/** Schema of the review queue: who looks at what. */
import type { SchemaPart } from "../SchemaPart.ts"
import { reviewViewersIndexes } from "./review_viewers.indexes.ts"
import { reviewViewersTable } from "./review_viewers.table.ts"

/** Viewers. */
export const reviewSchema: SchemaPart = {
  tables: [reviewViewersTable],
  indexes: [reviewViewersIndexes],
  functions: []
}
