/** A workspace in memory, and what the tests of leads look at afterwards. */

import * as Effect from "effect/Effect"
import { Ids } from "#core/kernel/schema/IdsAndTime.ts"
import type { Lead } from "#core/leads/Lead.ts"
import type { MissionRow } from "#core/missions/Mission.ts"
import * as JournalMemory from "#memory/JournalMemory.ts"
import { MemoryStore } from "#memory/MemoryStore.ts"
import { missions } from "#memory/missions/MissionTables.ts"
import { missionRow as anyMission } from "../../contract/outreachRows.ts"
import { type Extra, make, ok } from "../../support/World.ts"

/** Everything that lead commands need. */
export const leadWorld = make({ backend: "memory", ids: Ids.layerSequential })

/** What lead.upsert answers. */
export interface UpsertOutput {
  readonly lead_id: string
  readonly lead: Lead
}

/** Upserts a lead that must be accepted. */
export const upsert = (input: unknown, extra?: Extra) => ok<UpsertOutput>("lead.upsert", input, extra)

/** Types of the events so far, in order, with what they are about. */
export const events = Effect.flatMap(MemoryStore, (store) =>
  store.read("org_a", (tables) =>
    tables
      .all(JournalMemory.events)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ data, subject, type }) => ({ type, subject: subject.id, data }))
  )
)

/** A mission as other domains store it, with the handle `handle-${id}`. */
export const missionRow = (id: string, changes: Partial<MissionRow> = {}): MissionRow => ({
  ...anyMission("org_a", `handle-${id}`),
  id,
  name: `Mission ${id}`,
  ...changes
})

/** Puts a mission into the store. */
export const addMission = (mission: MissionRow) =>
  Effect.flatMap(MemoryStore, (store) =>
    store.write(mission.organizationId, (tables) => tables.set(missions, mission.id, mission))
  )
