/** Possible duplicates in the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryStore, type Tables } from "../../MemoryStore.ts"
import { cutPage } from "../../Page.ts"
import { looseKeyOf } from "../identity/Email.ts"
import { compareText } from "../identity/Identity.ts"
import type { LeadRow } from "../Lead.ts"
import { leadIdentities, leads } from "../LeadTables.ts"
import {
  type DuplicateGroup,
  DuplicateReason,
  DuplicatesRepo,
  fewestDigits,
  groupPosition,
  shownDuplicates
} from "./DuplicatesRepo.ts"

/** What a lead shares with its duplicates, for each reason. */
const keysOf = (
  tables: Tables,
  organizationId: string,
  { company, id, name, phone }: LeadRow
): Readonly<Record<DuplicateReason, ReadonlyArray<string>>> => {
  const digits = phone.replace(/[^0-9]/g, "")
  return {
    same_email_hint: tables
      .all(leadIdentities, organizationId)
      .filter((row) => row.leadId === id && row.kind === "email")
      .map(({ value }) => looseKeyOf(value)),
    same_name_and_company: company === "" ? [] : [`${name.toLowerCase()}\n${company.toLowerCase()}`],
    same_phone: digits.length < fewestDigits ? [] : [digits]
  }
}

const bytesBefore = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

const groupsOf = (tables: Tables, organizationId: string): ReadonlyArray<DuplicateGroup> => {
  const rows = tables.all(leads, organizationId).filter(({ mergedInto }) => mergedInto === null)
  return DuplicateReason.literals.flatMap((reason) => {
    const byKey = new Map<string, Set<string>>()
    for (const row of rows) {
      for (const key of keysOf(tables, organizationId, row)[reason]) {
        byKey.set(key, (byKey.get(key) ?? new Set()).add(row.id))
      }
    }
    return [...byKey]
      .filter(([, ids]) => ids.size > 1)
      .toSorted(([a], [b]) => bytesBefore(a, b))
      .map(([key, ids]) => ({
        reason,
        key,
        leadIds: [...ids].sort(compareText).slice(0, shownDuplicates),
        count: ids.size
      }))
  })
}

/** Looks for duplicates in memory. */
export const layer: Layer.Layer<DuplicatesRepo, never, MemoryStore> = Layer.effect(
  DuplicatesRepo,
  Effect.map(MemoryStore, (store) =>
    DuplicatesRepo.of({
      groups: (organizationId, { after, limit }) =>
        store.read((tables) => {
          const [rank = 0, key = ""] = after ?? []
          const rest = groupsOf(tables, organizationId).filter((group) => {
            const place = DuplicateReason.literals.indexOf(group.reason)
            if (after === undefined || place > Number(rank)) return true
            return place === Number(rank) && bytesBefore(group.key, String(key)) > 0
          })
          return cutPage(rest, limit, groupPosition)
        })
    })
  )
)
