/** The numbers of missions after generated histories are the same on every store: the first one counts from scratch. */

import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import { effort } from "../support/effort.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { type Random, randomOf } from "../support/random.ts"
import { ask, code, ok } from "../support/World.ts"
import { eachOutreach, onDay } from "./outreachWorld.ts"

const missions = ["one", "two", "gone"]
/** Half of them are no relations yet. */
const people = ["adam", "bea", "carl", "dana", "emil-2nd", "fay-2nd", "gus-2nd", "hana-2nd"]
const statuses = [
  "New",
  "Contacted",
  "Waiting",
  "Replied",
  "Interested",
  "MeetingBooked",
  "NotInterested",
  "DoNotContact"
]

const urlOf = (person: string) => `https://www.linkedin.com/in/${person}`

/** Something that happens to a person; it may be refused, in the same way everywhere. */
const happening = ({ next, pick }: Random, day: number) => {
  const linkedin_url = urlOf(pick(people))
  const mission_id = pick(missions)
  const findLead = Effect.map(ask("lead.get", { linkedin_url }), ({ envelope }) =>
    envelope.ok ? String(Object(envelope.data).lead_id) : "none"
  )
  const withLead = (name: string, input: (lead_id: string) => object) => ({
    name,
    does: Effect.flatMap(findLead, (lead_id) => code(name, input(lead_id)))
  })
  const kind = next(26)
  const status = pick(statuses)
  const direction = pick(["inbound", "outbound"])
  const date = `2026-11-${16 + next(day + 2)}T${10 + next(10)}:00:00Z`
  const channel = pick(["LINKEDIN", "EMAIL"])
  const other = pick(people)
  const send_invitation = next(2) === 0
  const isOfMission = next(2) === 0
  if (kind < 8) {
    return withLead("lead.upsert", () => ({
      linkedin_url,
      name: linkedin_url,
      status,
      ...(isOfMission ? { mission_id } : {})
    }))
  }
  if (kind < 11) return withLead("lead.status.set", (lead_id) => ({ lead_id, status }))
  if (kind < 14) {
    return withLead("lead.message.record", (lead_id) => ({ lead_id, channel, direction, content: date, date }))
  }
  if (kind < 16) return withLead("lead.mission.add", (lead_id) => ({ lead_ids: [lead_id], mission_id }))
  if (kind < 17) return withLead("lead.mission.remove", (lead_id) => ({ lead_ids: [lead_id], mission_id }))
  if (kind < 21) {
    return {
      name: "send",
      does: Effect.gen(function* () {
        const { envelope } = yield* ask("linkedin.draft.create", {
          lead_id: yield* findLead,
          variations: [`Hello ${date}`],
          agent_handle: "ada-martin",
          ...(isOfMission ? { mission_id } : {})
        })
        if (!envelope.ok) return envelope.error.code
        const { draft_id } = Object(envelope.data).draft
        return yield* code("linkedin.draft.approve", { draft_id, send_now: true, send_invitation })
      })
    }
  }
  if (kind < 24) {
    return {
      name: "lead.merge",
      does: Effect.gen(function* () {
        const { envelope } = yield* ask("lead.get", { linkedin_url: urlOf(other) })
        const loser = envelope.ok ? String(Object(envelope.data).lead_id) : "none"
        return yield* code("lead.merge", { winner_lead_id: yield* findLead, loser_lead_ids: [loser] })
      })
    }
  }
  if (kind < 25) return withLead("lead.erase", (lead_id) => ({ lead_id, confirm: lead_id }))
  return withLead("mission.delete", () => ({ mission_id: "gone" }))
}

const windows = [{}, { group_by: "week" }, { from: "2026-11-18T11:30:00Z", to: "2026-11-20T12:00:00Z" }]

/** Deletes the events before an instant, which have been read. */
const forget = Effect.fnUntraced(function* (before: string) {
  yield* (yield* Workspaces).events.read(yield* CurrentOrganization, { after: 0, types: undefined, limit: 1 })
  const retention = yield* Workspaces
  while ((yield* retention.deleteBefore(yield* CurrentOrganization, "events", before, 1_000)).isMore) {}
})

/** What every mission says about itself after a history. */
const numbersAfter = Effect.fnUntraced(function* (seed: number) {
  const random = randomOf(seed)
  yield* onDay(0)
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
  for (const handle of missions) yield* ok("mission.create", { name: handle, handle, agent_handle: "ada-martin" })
  const verdicts: Array<string> = []
  for (let day = 0; day < 6; day++) {
    yield* onDay(day)
    for (let step = 0; step < 15; step++) {
      const { does, name } = happening(random, day)
      verdicts.push(`${name} ${yield* does}`)
    }
    if (day === 4 && seed % 3 === 0) yield* forget("2026-11-18T00:00:00.000Z")
  }
  const numbers: Array<unknown> = []
  for (const mission_id of missions) {
    for (const window of windows) {
      const { envelope } = yield* ask("mission.stats", { mission_id, ...window })
      const stats = envelope.ok ? Object(envelope.data).stats : undefined
      if (stats?.invitations_sent > 0) verdicts.push("invitation ok")
      numbers.push(envelope.ok ? { ...stats, mission: mission_id } : envelope.error.code)
    }
    const { envelope } = yield* ask("mission.get", { mission_id })
    numbers.push(envelope.ok ? Object(envelope.data).mission.stats : envelope.error.code)
  }
  return { verdicts, numbers }
})

/** What must have happened at least once. */
const happenings = [
  "lead.upsert",
  "lead.status.set",
  "lead.message.record",
  "lead.mission.add",
  "lead.mission.remove",
  "send",
  "invitation",
  "lead.merge",
  "lead.erase",
  "mission.delete"
]

const first = new Map<number, Effect.Success<ReturnType<typeof numbersAfter>>>()

eachOutreach("the numbers of missions", (layer) =>
  it.layer(layer)((it) => {
    it.effect("are what their history says", () =>
      Effect.gen(function* () {
        const verdicts = new Set<string>()
        // In fewer than three not everything happens.
        for (let seed = 1; seed <= Math.max(3, effort(8)); seed++) {
          const found = yield* numbersAfter(seed).pipe(inOrganization(`org_history_${seed}`))
          const expected = first.get(seed) ?? found
          first.set(seed, expected)
          assert.deepStrictEqual(found, expected, `seed ${seed}`)
          for (const verdict of found.verdicts) verdicts.add(verdict)
        }
        for (const name of happenings) assert.isTrue(verdicts.has(`${name} ok`), name)
      })
    )
  })
)
