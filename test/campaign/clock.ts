/**
 * The clock of a process jumps by seconds, hours and weeks, ahead and back, while it sends on PostgreSQL. More than a minute
 * from the database's clock nothing may leave; with the clock set right, everything leaves once. What was approved by a clock
 * that was ahead is due by that clock: it waits.
 *
 * Lost: a message that neither left nor waits for its time. Doubled: one that left twice. Leaked: one that left while the clock was wrong.
 */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { dispatchDue, settleUnknown } from "#core/outreach/OutreachWorker.ts"
import { SendingHold } from "#core/outreach/SendOptions.ts"
import * as SendingHoldPg from "#postgres/outreach/SendingHoldPg.ts"
import { lead } from "../core/linkedin/linkedInWorld.ts"
import { approvedDrafts } from "../sending/approvedDrafts.ts"
import { sendingStores } from "../support/crash/sendingStores.ts"
import { startFakeUnipile } from "../support/fakeUnipile/FakeUnipile.ts"
import { randomOf } from "../support/random.ts"
import { commands, ok } from "../support/World.ts"
import { newDatabase, whereabouts, withPostgres } from "./postgres.ts"
import type { Campaign } from "./Tally.ts"

/** Seconds that a clock is off; more than a minute holds sending. */
const jumps = [0, 1, 30, 55, 65, 90, 600, 3_600, 7_200, 86_400, 7 * 86_400, 400 * 86_400]
const maxSkew = 60
const messagesEachCycle = 2
const endings = ["", "", "-unknown"]

/** The real clock, off by as much as was last said. */
const jumpingClock = () => {
  const live = Clock.Clock.defaultValue()
  let off = 0
  const millis = () => live.currentTimeMillisUnsafe() + off * 1_000
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: () => live.currentTimeNanosUnsafe(),
    currentTimeNanos: live.currentTimeNanos,
    monotonicTimeNanosUnsafe: () => live.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: live.monotonicTimeNanos,
    sleep: (duration) => live.sleep(duration)
  }
  return { clock, jump: (seconds: number) => (off = seconds) }
}

/** Runs the campaign. */
export const clock: Campaign = ({ count, seed }, tally) =>
  withPostgres(async (cluster) => {
    const { next, pick } = randomOf(seed)
    tally.atLeast("held", 1)
    tally.atLeast("sent", 1)
    const fake = await startFakeUnipile()
    fake.world.addAccount("acct-1")
    const places = { databaseUrl: await newDatabase(cluster), fakeUrl: fake.url, fakeKey: fake.apiKey }
    const { clock: jumping, jump } = jumpingClock()
    let off = 0
    const approvedAt = new Map<string, number>()
    const approve = Effect.fnUntraced(function* (slug: string) {
      fake.world.addPerson(slug)
      approvedAt.set(slug, off)
      const lead_id = yield* lead(slug)
      const input = { lead_id, agent_handle: "ada-martin", variations: [`Hello ${slug}`] }
      const { draft } = yield* ok<{ draft: { draft_id: string } }>("linkedin.draft.create", input)
      yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id })
    })
    const round = Effect.gen(function* () {
      yield* (yield* SendingHold).beat
      yield* dispatchDue({ concurrency: 2 })
      yield* settleUnknown()
    })
    const stores = SendingHoldPg.layer(86_400).pipe(Layer.provideMerge(sendingStores(places)))
    await Effect.runPromise(
      Effect.gen(function* () {
        yield* approvedDrafts([])
        for (let cycle = 0; cycle < count; cycle++) {
          for (let index = 0; index < messagesEachCycle; index++) {
            yield* approve(`late-${cycle}-${index}${pick(endings)}`)
          }
          off = pick(jumps) * (next(2) === 0 ? 1 : -1)
          jump(off)
          const before = fake.world.ledger.length
          yield* round
          const left = fake.world.ledger.slice(before)
          tally.hit(Math.abs(off) > maxSkew ? "held" : "sent", Math.abs(off) > maxSkew ? 1 : left.length)
          if (Math.abs(off) > maxSkew) {
            for (const { slug } of left) tally.add("leaked", `${slug} left with the clock off by ${off} s`)
          }
          tally.tried++
        }
        jump(0)
        for (let look = 0; look < 5; look++) yield* round
      }).pipe(Effect.provide(commands.pipe(Layer.provideMerge(stores))), Effect.provideService(Clock.Clock, jumping))
    )
    const rows = new Map((await whereabouts(places.databaseUrl)).map((row) => [row.slug, row]))
    for (const [slug, ahead] of approvedAt) {
      const times = fake.world.ledger.filter((one) => one.slug === slug).length
      const waits = ahead > 0 && rows.get(slug)?.state === "queued"
      if (times === 0 && !waits) tally.add("lost", `the message to ${slug}`)
      if (times > 1) tally.add("doubled", `${times} messages to ${slug}`)
    }
    await fake.close()
  })
