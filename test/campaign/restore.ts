/**
 * Databases are brought back from a backup that is older than what was sent, in each way in turn. Nothing may leave until the
 * hold is released, and then only what had not left.
 *
 * Lost: a message that never left, or was sent and is not known to be. Doubled: one that left twice. Leaked: one that left
 * while sending was held.
 */

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Ports from "#core/outreach/LinkedInPorts.ts"
import { dispatchDue, settleUnknown } from "#core/outreach/OutreachWorker.ts"
import { SendingHold } from "#core/outreach/SendOptions.ts"
import { createSvc } from "#embed/createSvc.ts"
import type { Svc } from "#embed/Svc.ts"
import * as Unipile from "#providers/unipile/index.ts"
import { backupWays, tool } from "../support/backups.ts"
import { type FakeUnipile, startFakeUnipile } from "../support/fakeUnipile/FakeUnipile.ts"
import type { PostgresCluster } from "../support/PostgresCluster.ts"
import { type Random, randomOf } from "../support/random.ts"
import { newDatabase, whereabouts, withPostgres } from "./postgres.ts"
import type { Campaign, Tally } from "./Tally.ts"

const maxPeople = 6
const endings = ["", "", "", "-unknown"]

const run = <A, E>(svc: Svc, effect: Effect.Effect<A, E>) => svc.effect.runtime.runPromise(effect)

const dispatch = (svc: Svc) =>
  svc.effect.runtime.runPromise(Effect.andThen(dispatchDue(), settleUnknown()).pipe(Effect.provide(Ports.layer)))

/** One database from its first draft to its second life. */
const drill = async (cluster: PostgresCluster, fake: FakeUnipile, name: string, random: Random, tally: Tally) => {
  const folder = await mkdtemp(join(tmpdir(), "svc-campaign-"))
  const url = await newDatabase(cluster)
  const ways = Object.entries(backupWays)
  const [means = "", way] = ways[tally.tried % ways.length] ?? []
  if (way === undefined) throw new Error("There is no way to make a backup.")
  const { backup, restore, restored } = way(url, join(folder, "backup"), await newDatabase(cluster, "empty"))
  const gateway = Layer.orDie(Unipile.layer({ dsn: fake.url, apiKey: Redacted.make(fake.apiKey) }))
  const within = async (databaseUrl: string, use: (svc: Svc) => Promise<unknown>) => {
    const svc = await createSvc({ databaseUrl, gateway, worker: false, rateLimit: 0 })
    await use(svc).finally(() => svc.close())
  }
  const slugs: Array<string> = []
  const approve = async (svc: Svc, count: number) => {
    for (; count > 0; count--) {
      const slug = `${name}-${slugs.length}${random.pick(endings)}`
      slugs.push(slug)
      fake.world.addPerson(slug)
      const { lead_id } = await svc.leads.upsert({ name: slug, linkedin_url: `https://www.linkedin.com/in/${slug}` })
      const { draft } = await svc.linkedin.draft.create({ lead_id, variations: [{ body_text: `Hello ${slug}` }] })
      await svc.linkedin.draft.approve({ draft_id: draft.draft_id })
    }
  }
  fake.world.addAccount(name)
  await within(url, async (svc) => {
    await svc.agents.create({ first_name: "Ada", last_name: "Martin" })
    await svc.linkedin.account.link({ agent_handle: "ada-martin", gateway_account_id: name })
    await approve(svc, random.next(maxPeople))
    await dispatch(svc)
    await approve(svc, 1 + random.next(maxPeople))
  })
  await tool(backup)
  // What is sent now is lost with the database, but not at the provider.
  const recorded = fake.world.ledger.length
  await within(url, dispatch)
  tally.hit(means)
  tally.hit("messages sent after the backup", fake.world.ledger.length - recorded)
  for (const command of restore) await tool(command)
  const before = fake.world.ledger.length
  await within(restored, async (svc) => {
    await dispatch(svc)
    await approve(svc, 1)
    await dispatch(svc)
  })
  for (const { slug } of fake.world.ledger.slice(before)) tally.add("leaked", `${slug} left while sending was held`)
  await within(restored, (svc) =>
    run(
      svc,
      Effect.flatMap(SendingHold, ({ release }) => release)
    ).then(() => undefined)
  )
  await within(restored, async (svc) => {
    for (let round = 0; round < 3; round++) await dispatch(svc)
  })
  const rows = new Map((await whereabouts(restored)).map((row) => [row.slug, row]))
  for (const slug of slugs) {
    const times = fake.world.ledger.filter((one) => one.slug === slug).length
    const row = rows.get(slug)
    const told = `${slug}: ${row?.status} ${row?.state}, ${times} sent`
    if (times > 1) tally.add("doubled", told)
    if (times === 0 || (row?.state !== "sent" && row?.state !== "ambiguous")) tally.add("lost", told)
  }
  await rm(folder, { recursive: true })
  tally.tried++
}

/** Runs the campaign. */
export const restore: Campaign = ({ count, seed }, tally) =>
  withPostgres(async (cluster) => {
    tally.atLeast("messages sent after the backup", 1)
    Object.assign(process.env, { SVC_LINKEDIN_PACING: "off", SVC_SEND_HOLD_SECONDS: "0" })
    const random = randomOf(seed)
    const fake = await startFakeUnipile()
    for (let cycle = 0; cycle < count; cycle++) await drill(cluster, fake, `drill-${cycle}`, random, tally)
    await fake.close()
  })
