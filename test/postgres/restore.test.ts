/**
 * The drill: a backup that is older than what was sent is restored. Nothing is sent until an operator releases it, and then
 * nothing twice. The provider outlives the database, as a real one does.
 */

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { dispatchEmails } from "#core/email/sending/emails.ts"
import * as Ports from "#core/outreach/LinkedInPorts.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { SendingHold } from "#core/outreach/SendOptions.ts"
import { createSvc } from "#embed/createSvc.ts"
import type { Svc } from "#embed/Svc.ts"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { backupWays, hasTools, tool } from "../support/backups.ts"
import { type FakeUnipile, startFakeUnipile } from "../support/fakeUnipile/FakeUnipile.ts"
import { at, readReply } from "../support/httpService.ts"
import { keepingMail } from "../support/mailed.ts"
import { adapter, secret } from "../unipile/unipileWorld.ts"

/** Neither time to change one's mind nor working hours. */
const settings = { SVC_LINKEDIN_PACING: "off", SVC_SEND_HOLD_SECONDS: "0" }
const before = { ...process.env }

/** E-mails that left, by subject. */
const mailed: Array<string> = []
const email = keepingMail(mailed)

let fake: FakeUnipile
beforeAll(async () => {
  Object.assign(process.env, settings)
  fake = await startFakeUnipile({ apiKey: secret })
  fake.world.addAccount("ua-1")
})
afterAll(async () => {
  for (const name of Object.keys(settings)) {
    if (before[name] === undefined) delete process.env[name]
    else process.env[name] = before[name]
  }
  await fake.close()
})

const open = async (url: string): Promise<Svc> =>
  createSvc({ databaseUrl: url, gateway: Layer.orDie(adapter(fake.url)), worker: false, rateLimit: 0 })

const dispatch = (svc: Svc) =>
  svc.effect.runtime.runPromise(
    Effect.andThen(dispatchDue(), dispatchEmails()).pipe(Effect.provide(Ports.layer), Effect.provide(email))
  )

const release = (svc: Svc) => svc.effect.runtime.runPromise(Effect.flatMap(SendingHold, ({ release: letGo }) => letGo))

const holdOf = async (svc: Svc): Promise<unknown> => {
  const reply = await readReply(await svc.fetch(new Request("http://127.0.0.1/readyz")))
  assert.deepInclude(reply.body, { status: "ready" })
  return at(reply.body, "sending_hold.reason")
}

const textsTo = (slug: string) => fake.world.ledger.filter((one) => one.slug === slug).map(({ text }) => text)

const draftOf = async (svc: Svc, slug: string): Promise<string> => {
  const { drafts } = await svc.linkedin.draft.list({ limit: 100 })
  return drafts.find(({ lead }) => lead.name === slug)?.draft_id ?? assert.fail(`no draft to ${slug}`)
}

const approvedFor = async (svc: Svc, slug: string, body_text: string): Promise<string> => {
  fake.world.addPerson(slug)
  const { lead_id } = await svc.leads.upsert({ name: slug, linkedin_url: `https://www.linkedin.com/in/${slug}` })
  const { draft } = await svc.linkedin.draft.create({ lead_id, variations: [{ body_text }] })
  await svc.linkedin.draft.approve({ draft_id: draft.draft_id })
  return draft.draft_id
}

const databaseOf = (url: string) => new URL(url).pathname.slice(1)

describe.skipIf(!hasPostgres() || !hasTools())("A restored database", () => {
  it.live.each(Object.keys(backupWays))("from %s sends nothing until it is released, and nothing twice", (name) =>
    Effect.gen(function* () {
      const url = clearUrl((yield* freshPostgres()).url)
      const empty = clearUrl((yield* freshPostgres("empty")).url)
      yield* Effect.promise(async () => {
        const way = backupWays[name] ?? assert.fail(name)
        const folder = await mkdtemp(join(tmpdir(), "svc-restore-"))
        const { backup, restore, restored } = way(url, join(folder, "backup"), empty)
        const slug = `ann-${databaseOf(url).slice(-8)}`
        const first = await open(url)
        await first.agents.create({
          first_name: "Ada",
          last_name: "Martin",
          email_accounts: [{ provider: "SMTP", email: "ada@sender.example" }]
        })
        await first.linkedin.account.link({ agent_handle: "ada-martin", gateway_account_id: "ua-1" })
        await first.missions.create({
          name: "Spring",
          agent_handle: "ada-martin",
          channels: ["LINKEDIN", "EMAIL"],
          email_review_strategy: "AUTO"
        })
        await approvedFor(first, `${slug}-sent`, "Sent after the backup")
        await approvedFor(first, `${slug}-waits`, "Still to be sent")
        const to = await first.leads.upsert({ email: `${slug}@example.com` })
        await first.email.send({ lead_id: to.lead_id, mission_id: "spring", subject: slug, body_text: "Hello" })
        await first.close()
        await tool(backup)

        // What happens after the backup is lost with the database, but not at the provider.
        const second = await open(url)
        await second.linkedin.draft.cancel({ draft_id: await draftOf(second, `${slug}-waits`) })
        await dispatch(second)
        await second.close()
        assert.deepStrictEqual(textsTo(`${slug}-sent`), ["Sent after the backup"])
        assert.deepStrictEqual(
          mailed.filter((subject) => subject === slug),
          [slug]
        )
        for (const command of restore) await tool(command)

        const third = await open(restored)
        assert.strictEqual(await holdOf(third), "database_restored")
        await dispatch(third)
        const now = await third.commands.run("linkedin.draft.approve", {
          draft_id: await draftOf(third, `${slug}-waits`),
          send_now: true
        })
        assert.strictEqual(Object(now.ok && now.data).dispatch_result?.status, "queued", JSON.stringify(now))
        assert.deepStrictEqual(textsTo(`${slug}-waits`), [])
        assert.lengthOf(textsTo(`${slug}-sent`), 1)
        await third.close()

        // It is held still when it is opened again, and released by an operator.
        const fourth = await open(restored)
        assert.strictEqual(await holdOf(fourth), "database_restored")
        await release(fourth)
        assert.isUndefined(await holdOf(fourth))
        await fourth.close()
        const fifth = await open(restored)
        assert.isUndefined(await holdOf(fifth))
        for (let round = 0; round < 3; round++) await dispatch(fifth)
        assert.deepStrictEqual(textsTo(`${slug}-sent`), ["Sent after the backup"])
        assert.deepStrictEqual(textsTo(`${slug}-waits`), ["Still to be sent"])
        const found = await fifth.linkedin.draft.get({ draft_id: await draftOf(fifth, `${slug}-sent`) })
        assert.strictEqual(found.draft.status, "DISPATCHED")
        // Nobody can look into a mailbox: a person decides about the e-mail anew.
        assert.deepStrictEqual(
          mailed.filter((subject) => subject === slug),
          [slug]
        )
        const { emails } = await fifth.email.list({ state: ["in_review"] })
        assert.deepStrictEqual(
          emails.map(({ subject }) => subject),
          [slug]
        )
        // What is written from now on leaves as ever.
        await approvedFor(fifth, `${slug}-new`, "Written later")
        await dispatch(fifth)
        assert.deepStrictEqual(textsTo(`${slug}-new`), ["Written later"])
        await fifth.close()
        await rm(folder, { recursive: true })
      })
    })
  )
})
