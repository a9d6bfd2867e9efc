/** Suppressions in the in-memory store. */

import { cutPage, type Position } from "@svc/core"
import { compareText, type SuppressionRow, SuppressionsRepo } from "@svc/core/leads"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryStore } from "../MemoryStore.ts"
import {
  addSuppressions,
  suppressionKey,
  suppressions,
  suppressionsOf,
  suppressionsOfLead,
  tombstoneKey,
  tombstones
} from "./SuppressionTables.ts"

const positionOf = ({ createdAt, kind, value }: SuppressionRow): Position => [createdAt, kind, value]

const comparePositions = (a: Position, b: Position): number =>
  a.reduce<number>((order, part, index) => order || compareText(String(part), String(b[index])), 0)

/** Keeps suppressions in memory. */
export const layer: Layer.Layer<SuppressionsRepo, never, MemoryStore> = Layer.effect(
  SuppressionsRepo,
  Effect.map(MemoryStore, (store) =>
    SuppressionsRepo.of({
      find: (organizationId, identifiers) =>
        store.read((tables) => suppressionsOf(tables, organizationId, identifiers)),
      ofLead: (organizationId, leadId) => store.read((tables) => suppressionsOfLead(tables, organizationId, leadId)),
      add: (organizationId, rows) =>
        store.write((tables) => {
          const written = addSuppressions(tables, organizationId, rows)
          const keys = [...new Set(rows.map(suppressionKey))]
          return { written, rows: keys.flatMap((key) => tables.get(suppressions, organizationId, key) ?? []) }
        }),
      lift: (organizationId, identifiers, leadId) =>
        store.write((tables) => {
          const keys = new Set(identifiers.map(suppressionKey))
          const rows = tables.removeWhere(
            suppressions,
            organizationId,
            (row) => keys.has(suppressionKey(row)) || (leadId !== undefined && row.leadId === leadId)
          )
          const hashes = new Set(identifiers.map((one) => tombstoneKey(organizationId, one)))
          const erased = new Set(
            tables.all(tombstones, organizationId).flatMap((one) => (hashes.has(one.hash) ? [one.leadId] : []))
          )
          if (leadId !== undefined) erased.add(leadId)
          const lifted = tables.removeWhere(tombstones, organizationId, (one) => erased.has(one.leadId))
          return { rows, tombstones: lifted.length }
        }),
      list: (organizationId, { after, limit }) =>
        store.read((tables) => {
          const all = tables.all(suppressions, organizationId)
          const rest = all
            .filter((row) => after === undefined || comparePositions(positionOf(row), after) < 0)
            .toSorted((a, b) => comparePositions(positionOf(b), positionOf(a)))
          return {
            ...cutPage(rest, limit, positionOf),
            total: all.length,
            tombstones: tables.all(tombstones, organizationId).length
          }
        })
    })
  )
)
