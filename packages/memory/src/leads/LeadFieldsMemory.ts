/** Definitions of own fields and saved filters in the in-memory store. */
import { compareText } from "@svc/core/internal"
import { folded, LeadFieldsRepo, labelsOf, type OwnField, type SavedFilter } from "@svc/core/leads"
import * as Effect from "effect/Effect"
import { repository, table } from "../MemoryStore.ts"
import { leads } from "./LeadTables.ts"

/** Definitions by key. */
const leadFields = table<OwnField>("lead_fields")

/** Filters by folded name. */
const leadFilters = table<SavedFilter>("lead_filters")

/** Keeps definitions and filters in memory. */
export const layer = repository(LeadFieldsRepo)((store) => ({
  // A transaction has the store to itself.
  hold: () => Effect.void,
  fields: store.reading((tables) =>
    tables.all(leadFields).toSorted((a, b) => compareText(a.createdAt, b.createdAt) || compareText(a.key, b.key))
  ),
  saveField: store.writing((tables, field) => {
    const createdAt = tables.get(leadFields, field.key)?.createdAt ?? field.createdAt
    tables.set(leadFields, field.key, { ...field, createdAt })
  }),
  filters: store.reading((tables, name) =>
    tables
      .where(leadFilters, (filter) => name === undefined || folded(filter.name) === folded(name))
      .toSorted((a, b) => compareText(folded(a.name), folded(b.name)))
  ),
  saveFilter: store.writing((tables, filter) => tables.set(leadFilters, folded(filter.name), filter)),
  removeFilter: store.writing((tables, name) => {
    const isThere = tables.get(leadFilters, folded(name)) !== undefined
    tables.remove(leadFilters, folded(name))
    return isThere
  }),
  tags: store.reading((tables, limit) => {
    const live = tables.where(leads, ({ mergedInto }) => mergedInto === null)
    const tags = live.flatMap((row) => labelsOf({ tags: row.tags }).map(({ value }) => value))
    return [...new Set(tags)].sort(compareText).slice(0, limit)
  })
}))
