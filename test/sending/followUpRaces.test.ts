/**
 * Follow-ups over two services and their own connections: none leaves after a recorded reply, each step has one text, and each is
 * announced once.
 */

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Pool } from "pg"
import { EmailGateway } from "#core/email/EmailGateway.ts"
import { dispatchEmails } from "#core/email/sending/emails.ts"
import { announceFollowUps } from "#core/leads/FollowUpsWorker.ts"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import * as Ports from "#core/outreach/LinkedInPorts.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { LinkedInGateway, sendingOnly } from "#core/outreach/provider/LinkedInGateway.ts"
import type { Recipient } from "#core/outreach/provider/ProviderReads.ts"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { effort } from "../support/effort.ts"
import { at, openService, type Service, textAt } from "../support/httpService.ts"

const channels = ["LINKEDIN", "EMAIL"] as const
type Channel = (typeof channels)[number]

/** Whom the gateways were given something for. */
const asked: Array<string> = []

const take = (name: string) =>
  Effect.sync(() => {
    asked.push(name)
    return { _tag: "Confirmed", messageId: `m-${asked.length}`, externalId: null } as const
  })

const write = (_: unknown, { recipient }: { readonly recipient: Recipient }) =>
  take(recipient.identities.find(({ kind }) => kind === "slug")?.value ?? "")

const connected = { connected: true, chatId: null, invitation: "none" } as const

const gateway = Layer.succeed(LinkedInGateway, {
  ...sendingOnly,
  name: "simulator",
  automaticAccount: ({ id }) => ({ gatewayAccountId: id, tier: "PREMIUM", features: [] }),
  relation: () => Effect.succeed({ _tag: "Known", relation: connected } as const),
  sendToChat: write,
  startChat: write,
  sendInvitation: write,
  searchPeople: () => Effect.die("not asked")
})

const email = Layer.succeed(EmailGateway, { send: ({ to }) => take(to.address.split("@")[0] ?? "") })

interface Side {
  /** Runs a command that must succeed; its data. */
  readonly ok: (command: string, json: object) => Promise<unknown>
  readonly svc: Service["svc"]
}

const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
const working_hours = Object.fromEntries(days.map((day) => [day, [{ start: "00:00", end: "24:00" }]]))

const daysAgo = (count: number): string => new Date(Date.now() - count * 86_400_000).toISOString()

/** Two services on one database, with a mission of one step for each channel. */
const onTwo = (use: (one: Side, two: Side, pool: Pool, organizationId: string) => Promise<void>) =>
  Effect.gen(function* () {
    const { url } = yield* freshPostgres()
    yield* Effect.promise(async () => {
      const settings = { linkedinPacing: "off", sendHoldSeconds: 0 } as const
      const options = { databaseUrl: clearUrl(url), email, gateway, settings }
      const services = [await openService(options), await openService(options)] as const
      const pool = new Pool({ connectionString: clearUrl(url), max: 2 })
      const sideOf = ({ ask, svc }: Service): Side => {
        const ok = async (command: string, json: object) => {
          const { body, status, text } = await ask("POST", `/api/v1/commands/${command}`, {
            json,
            key: services[0].key
          })
          assert.strictEqual(status, 200, `${command} ${text}`)
          return at(body, "data")
        }
        return { ok, svc }
      }
      try {
        const one = sideOf(services[0])
        for (const name of ["Ada", "Bob"]) {
          const email_accounts = [{ provider: "SMTP", email: `${name.toLowerCase()}@sender.example` }]
          const hours = { timezone: "UTC", working_hours, smart_deliverability: false }
          await one.ok("agent.create", { first_name: name, last_name: "M", handle: name.toLowerCase(), email_accounts })
          await one.ok("agent.update", { agent_handle: name.toLowerCase(), ...hours })
        }
        await one.ok("email.mailbox.set-limits", { email: "ada@sender.example", hour: 1_000, day: 1_000 })
        for (const channel of channels) {
          const handle = channel.toLowerCase()
          await one.ok("mission.create", { name: handle, handle, agent_handle: "ada" })
          const step = { after: "no_reply", working_days: 1, channel, purpose: "Ask" }
          await one.ok("mission.steps.set", { mission_id: handle, steps: [step] })
        }
        await use(one, sideOf(services[1]), pool, services[0].organizationId)
      } finally {
        await pool.end()
        await services[1].svc.close()
        await services[0].svc.close()
      }
    })
  })

/** A lead whose follow-up is due since a week. */
const dueLead = async ({ ok }: Side, pool: Pool, name: string, channel: Channel) => {
  const linkedin_url = `https://www.linkedin.com/in/${name}`
  const mission_id = channel.toLowerCase()
  const lead_id = textAt(
    await ok("lead.upsert", { name, email: `${name}@l.example`, linkedin_url, mission_id }),
    "lead_id"
  )
  await pool.query("update svc.lead_missions set linked_at = $1 where lead_id = $2", [daysAgo(20), lead_id])
  const message = { channel, direction: "outbound", content: "Hello" }
  await ok("lead.message.record", { lead_id, ...message, date: daysAgo(10) })
  return lead_id
}

const texts = { subject: "Hi", body_text: "Hello" }

/** Writes the follow-up and approves it; returns how to see its state. */
const approved = async ({ ok }: Side, lead_id: string, channel: Channel) => {
  const place = { lead_id, mission_id: channel.toLowerCase() }
  if (channel === "LINKEDIN") {
    const made = await ok("linkedin.draft.create", { ...place, variations: ["Hello"] })
    const draft_id = textAt(made, "draft.draft_id")
    const read = () => ok("linkedin.draft.get", { draft_id })
    assert.strictEqual(at(await read(), "follow_up.step"), 1)
    await ok("linkedin.draft.approve", { draft_id })
    return async () => textAt(await read(), "draft.status")
  }
  const made = await ok("email.send", { ...place, ...texts })
  assert.strictEqual(at(made, "email.follow_up.step"), 1)
  const review_id = textAt(made, "email.review_id")
  const decision = { content_hash: textAt(made, "email.content_hash"), decision: "approve" }
  await ok("email.review.decide", { review_id, ...decision })
  return async () => textAt(await ok("email.list", { lead_id }), "emails.0.state")
}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

describe.skipIf(!hasPostgres())("follow-ups at once", () => {
  const rounds = effort(200)
  it.live(
    `leave before a reply is recorded, or never, in ${rounds} rounds`,
    () =>
      onTwo(async (one, two, pool) => {
        const dispatch = () =>
          two.svc.effect.runtime.runPromise(
            Effect.andThen(dispatchDue(), dispatchEmails()).pipe(Effect.provide(Layer.merge(Ports.layer, email)))
          )
        const seen = new Map<string, number>()
        /** How many turns sending is ahead of the reply. */
        const ahead = { LINKEDIN: 100, EMAIL: 100 }
        for (let round = 0; round < rounds; round++) {
          const channel = channels[round % 2] ?? "EMAIL"
          const name = `grace-${round}`
          const lead_id = await dueLead(one, pool, name, channel)
          const state = await approved(one, lead_id, channel)
          const said = { lead_id, channel: channels[round % 3 ? 0 : 1], direction: "inbound", content: "Yes" }
          const reply = () => one.ok("lead.message.record", said)
          // The first four rounds make sure that each comes first once; the others keep close to where either may.
          const first = round < 2 ? reply() : dispatch()
          if (round < 4) await first
          await turns(ahead[channel])
          await Promise.all([first, round < 2 ? dispatch() : reply()])
          await dispatch()
          const times = asked.filter((one) => one === name).length
          const outcome = `${channel} ${await state()}`
          seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
          const isSent = ["LINKEDIN DISPATCHED", "EMAIL sent"].includes(outcome)
          if (round >= 4) ahead[channel] = Math.ceil(ahead[channel] * (isSent ? 0.8 : 1.25))
          assert.include(["DISPATCHED", "CANCELLED", "sent", "cancelled"], outcome.split(" ")[1])
          assert.strictEqual(times, isSent ? 1 : 0, `${round} ${outcome}`)
          if (!isSent) continue
          const { rows } = await pool.query(
            `select a.started_at as claimed, e.created_at as replied from svc.linkedin_attempts a
             join svc.transmissions q on q.organization_id = a.organization_id and q.id = a.queue_item_id
             join svc.events e on e.organization_id = q.organization_id and e.subject_id = q.lead_id
             where q.lead_id = $1 and e.type = 'lead.replied'`,
            [lead_id]
          )
          assert.lengthOf(rows, 1)
          assert.isAtMost(rows[0].claimed.getTime(), rows[0].replied.getTime(), `${round} claimed after the reply`)
        }
        console.log(JSON.stringify([...seen]))
        assert.strictEqual(seen.size, 4)
      }),
    900_000
  )

  const pairs = effort(50)
  it.live(
    `have one text each, however many write it, in ${pairs} rounds`,
    () =>
      onTwo(async (one, two, pool) => {
        for (let round = 0; round < pairs; round++) {
          const channel = channels[round % 2] ?? "EMAIL"
          const lead_id = await dueLead(one, pool, `alan-${round}`, channel)
          const place = { lead_id, mission_id: channel.toLowerCase() }
          const write = async ({ ok }: Side, agent_handle: string) => {
            if (channel === "EMAIL") return at(await ok("email.send", { ...place, ...texts }), "email.follow_up.step")
            const made = await ok("linkedin.draft.create", { ...place, agent_handle, variations: ["Hello"] })
            return at(await ok("linkedin.draft.get", { draft_id: textAt(made, "draft.draft_id") }), "follow_up.step")
          }
          const first = write(one, "ada")
          await turns((round % 10) * 4)
          const steps = await Promise.all([first, write(two, "bob")])
          assert.lengthOf(
            steps.filter((step) => step === 1),
            1,
            `${round} ${channel} ${JSON.stringify(steps)}`
          )
        }
      }),
    600_000
  )

  it.live(
    "are announced once, however many announce them",
    () =>
      onTwo(async (one, two, pool, organizationId) => {
        const people = 25
        const expected: Array<string> = []
        for (let round = 0; round < 4; round++) {
          for (let n = 0; n < people; n++) {
            expected.push(await dueLead(one, pool, `kim-${round}-${n}`, channels[n % 2] ?? "EMAIL"))
          }
          const announce = (side: Side) => side.svc.effect.runtime.runPromise(announceFollowUps)
          await Promise.all([one, two, one, two].map(announce))
          await announce(one)
        }
        const { rows } = await pool.query("select subject_id as id from svc.events where type = 'lead.follow_up_due'")
        assert.deepStrictEqual(rows.map(({ id }) => id).toSorted(), expected.toSorted())
        // Without the turns that workers take.
        await pool.query("update svc.lead_actions set announced = null")
        const mark = (side: Side) =>
          side.svc.effect.runtime.runPromise(
            Effect.flatMap(LeadsRepo, (repo) => repo.announceFollowUps(organizationId, daysAgo(0), 10))
          )
        const marked: Array<string> = []
        for (let more = 1; more > 0; ) {
          const found = (await Promise.all([one, two, one, two].map(mark))).flat()
          more = found.length
          marked.push(...found.map(({ leadId }) => leadId))
        }
        assert.deepStrictEqual(marked.toSorted(), expected.toSorted())
      }),
    600_000
  )
})
