/**
 * Two workers and clients race over the same drafts on PostgreSQL. What clients were told decides what may have left: a draft
 * whose last accepted command approved it leaves once, with the text it had; any other draft never leaves.
 *
 * Lost: it should have left and did not, or is said to have left. Doubled: it left twice. Leaked: it left without approval,
 * or with a text that nobody approved.
 */

import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { dispatchDue, settleUnknown } from "#core/outreach/OutreachWorker.ts"
import { lead } from "../core/linkedin/linkedInWorld.ts"
import { approvedDrafts } from "../sending/approvedDrafts.ts"
import { type Places, sendingStores } from "../support/crash/sendingStores.ts"
import { type FakeUnipile, startFakeUnipile } from "../support/fakeUnipile/FakeUnipile.ts"
import { type Random, randomOf } from "../support/random.ts"
import { ask, commands, ok } from "../support/World.ts"
import { newDatabase, type Whereabouts, whereabouts, withPostgres } from "./postgres.ts"
import { type Campaign, pause, type Tally } from "./Tally.ts"

const draftsEachCycle = 6
const maxWaits = 150
/** Endings of names with which the fake loses its answer, after it has taken the message. */
const endings = ["", "", "", "-unknown", "-500"]

/** What the answers say about a draft. */
interface Expected {
  readonly slug: string
  text: string
  isApproved: boolean
}

type Action = "approve" | "send" | "edit" | "cancel"
const actions: ReadonlyArray<Action> = ["approve", "approve", "send", "send", "edit", "edit", "cancel"]

/** Answers of a send whose outcome is unknown or not yet known: the approval stands. */
const isUnderway = (code: string): boolean => code === "SEND_OUTCOME_UNKNOWN" || code.startsWith("GATEWAY_")

/** One client works on one draft; now and then another one says the same at the same time. */
const play = (draft_id: string, expected: Expected, { next, pick }: Random, tally: Tally) =>
  Effect.gen(function* () {
    for (let step = 1 + next(5); step > 0; step--) {
      const action = pick(actions)
      const text = `${expected.slug} edit ${step}`
      const call =
        action === "cancel"
          ? ask("linkedin.draft.cancel", { draft_id })
          : action === "edit"
            ? ask("linkedin.draft.update", { draft_id, variations: [text] })
            : ask("linkedin.draft.approve", { draft_id, send_now: action === "send" })
      const answers = yield* Effect.all(next(3) === 0 ? [call, call] : [call], { concurrency: 2 })
      for (const { envelope } of answers) {
        const code = envelope.ok ? "" : String(envelope.error.code)
        if (!envelope.ok && envelope.status >= 500 && envelope.status !== 502) {
          tally.add("failed", `${action} of ${expected.slug}: ${code}`)
        }
        tally.hit(envelope.ok ? action : `${action} refused`)
        if (action === "send" && isUnderway(code)) expected.isApproved = true
        if (!envelope.ok) continue
        if (action === "edit") expected.text = text
        expected.isApproved = action === "approve" || action === "send"
      }
      if (action === "cancel" && answers.some(({ envelope }) => envelope.ok)) return
      yield* Effect.promise(() => pause(next(60)))
    }
  })

const judge = (expected: Expected, row: Whereabouts | undefined, fake: FakeUnipile, tally: Tally): void => {
  const sent = fake.world.ledger.filter(({ slug }) => slug === expected.slug)
  const told = `${expected.slug}: ${row?.status} ${row?.state}, ${expected.isApproved ? "" : "not "}approved, ${sent.length} sent`
  tally.hit(sent.length > 0 ? "left" : "did not leave")
  if (sent.length > 1) tally.add("doubled", told)
  if (expected.isApproved && sent.length === 0) tally.add("lost", told)
  if (row?.status === "DISPATCHED" && sent.length === 0) tally.add("lost", told)
  if (!expected.isApproved && sent.length > 0) tally.add("leaked", told)
  for (const { text } of sent) {
    if (text !== expected.text) tally.add("leaked", `${told}, "${text}" and not "${expected.text}"`)
  }
}

const inProcess = (places: Places) => commands.pipe(Layer.provideMerge(sendingStores(places)), Layer.fresh)

/** A worker with connections of its own, until it is interrupted. */
const worker = (places: Places) =>
  Effect.forever(
    Effect.andThen(
      Effect.ignore(Effect.andThen(dispatchDue({ concurrency: 3 }), settleUnknown({ concurrency: 2 }))),
      Effect.sleep("20 millis")
    )
  ).pipe(Effect.provide(inProcess(places)), Effect.forkChild)

/** Runs the campaign. */
export const races: Campaign = ({ count, seed }, tally) =>
  withPostgres(async (cluster) => {
    const random = randomOf(seed)
    const databaseUrl = await newDatabase(cluster)
    const fake = await startFakeUnipile()
    fake.world.addAccount("acct-1")
    const places = { databaseUrl, fakeUrl: fake.url, fakeKey: fake.apiKey }
    const all: Array<Expected> = []
    const cycle = (number: number) =>
      Effect.gen(function* () {
        const drafts: Array<readonly [string, Expected]> = []
        for (let index = 0; index < draftsEachCycle; index++) {
          const slug = `racer-${number}-${index}${random.pick(endings)}`
          fake.world.addPerson(slug)
          const expected = { slug, text: `Hello ${slug}`, isApproved: false }
          const lead_id = yield* lead(slug)
          const input = { lead_id, agent_handle: "ada-martin", variations: [expected.text] }
          const { draft } = yield* ok<{ draft: { draft_id: string } }>("linkedin.draft.create", input)
          drafts.push([draft.draft_id, expected])
          all.push(expected)
        }
        const each = drafts.map(([id, expected]) => play(id, expected, randomOf(random.next(1_000_000)), tally))
        yield* Effect.all(each, { concurrency: "unbounded" })
        tally.tried++
      })
    await Effect.runPromise(
      Effect.gen(function* () {
        yield* approvedDrafts([])
        const workers = [yield* worker(places), yield* worker(places)]
        for (let number = 0; number < count; number++) yield* cycle(number)
        const isOver = (rows: ReadonlyArray<Whereabouts>) =>
          rows.every(({ state, status }) => status !== "READY_TO_SEND" || state === "ambiguous")
        for (let wait = 0; wait < maxWaits && !isOver(yield* Effect.promise(() => whereabouts(databaseUrl))); wait++) {
          yield* Effect.promise(() => pause(200))
        }
        yield* Fiber.interruptAll(workers)
      }).pipe(Effect.provide(inProcess(places)))
    )
    const rows = new Map((await whereabouts(databaseUrl)).map((row) => [row.slug, row]))
    for (const expected of all) judge(expected, rows.get(expected.slug), fake, tally)
    await fake.close()
  })
