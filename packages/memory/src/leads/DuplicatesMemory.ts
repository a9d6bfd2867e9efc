/** Possible duplicates in the in-memory store. */

import { compareText, looseKeyOf } from "@svc/core/internal"
import * as Leads from "@svc/core/leads"
import { type MemoryStore, pageBy, type Tables } from "../MemoryStore.ts"
import { leadIdentities, leads } from "./LeadTables.ts"

/** The keys that a lead shares with its duplicates, by reason. */
const keysOf = (
  tables: Tables,
  { company, id, name, phone }: Leads.LeadRow
): Readonly<Record<Leads.DuplicateReason, ReadonlyArray<string>>> => {
  const digits = phone.replace(/[^0-9]/g, "")
  return {
    same_email_hint: tables
      .where(leadIdentities, (row) => row.leadId === id && row.kind === "email")
      .map(({ value }) => looseKeyOf(value)),
    same_name_and_company: company === "" ? [] : [`${name.toLowerCase()}\n${company.toLowerCase()}`],
    same_phone: digits.length < Leads.minPhoneDigits ? [] : [digits]
  }
}

const groupsOf = (tables: Tables): ReadonlyArray<Leads.DuplicateGroup> => {
  const rows = tables.where(leads, ({ mergedInto }) => mergedInto === null)
  return Leads.DuplicateReason.literals.flatMap((reason) => {
    const byKey = new Map<string, Set<string>>()
    for (const row of rows) {
      for (const key of keysOf(tables, row)[reason]) {
        byKey.set(key, (byKey.get(key) ?? new Set()).add(row.id))
      }
    }
    return [...byKey]
      .filter(([, ids]) => ids.size > 1)
      .map(([key, ids]) => ({
        reason,
        key,
        leadIds: [...ids].sort(compareText).slice(0, Leads.shownDuplicates),
        count: ids.size
      }))
  })
}

/** Finds duplicates in memory. */
export const duplicatesMemory = (store: MemoryStore["Service"]): Leads.Duplicates => ({
  duplicates: store.reading((tables, page) => pageBy(groupsOf(tables), "asc", Leads.groupPosition, page))
})
