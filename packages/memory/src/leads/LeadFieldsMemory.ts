/** What organizations set up for their leads, in the in-memory store. */
import { compareText } from "@svc/core/internal"
import { LeadFieldsRepo, type LeadSetup, labelsOf } from "@svc/core/leads"
import { repository, table } from "../MemoryStore.ts"
import { leads } from "./LeadTables.ts"

/** The set-up by organization. */
const leadSetups = table<LeadSetup>("lead_setups")

/** Keeps the set-up in memory. */
export const layer = repository(LeadFieldsRepo)((store) => {
  const read = store.reading((tables): LeadSetup => {
    return tables.get(leadSetups, tables.organizationId) ?? { fields: [], filters: [] }
  })
  return {
    read,
    // A transaction has the store to itself.
    hold: read,
    save: store.writing((tables, setup) => tables.set(leadSetups, tables.organizationId, setup)),
    tags: store.reading((tables, limit) => {
      const live = tables.where(leads, ({ mergedInto }) => mergedInto === null)
      const tags = live.flatMap((row) => labelsOf({ tags: row.tags }).map(({ value }) => value))
      return [...new Set(tags)].sort(compareText).slice(0, limit)
    })
  }
})
