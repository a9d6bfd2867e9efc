/**
 * Follow-ups in generated histories: writers write whatever is due, people approve, reject, cancel, pause and merge, leads reply and
 * accept invitations, and time passes. Whatever happens, no follow-up leaves after a reply, none leaves twice for the same step, and
 * none leaves within the working days of its step after the message before.
 *
 * `SVC_TEST_ROUNDS=17-17` runs one round.
 */
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { EmailGateway } from "#core/email/EmailGateway.ts"
import { isoFromMillis, now } from "#core/kernel/schema/IdsAndTime.ts"
import { LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import type { Delivery } from "#core/outreach/provider/ProviderReads.ts"
import { hasPostgres } from "../support/backends.ts"
import { effort } from "../support/effort.ts"
import { type Random, randomOf } from "../support/random.ts"
import type { StoreName } from "../support/World.ts"
import { makeSide, type Side } from "./differentialSide.ts"
import { start } from "./differentialSteps.ts"

const hour = 3_600_000
const day = 24 * hour

/** What happened to a lead, in the order of the log. `date` is that of the message, which may be recorded later. */
interface Happened {
  readonly what: "out" | "in" | "merge" | "accepted"
  readonly lead: string
  readonly date: number
  /** The queue item or e-mail that left. */
  readonly key?: string
  /** Of a merge: who it went into. */
  readonly into?: string
}

/** Gateways that log what leaves; now and then they are busy, and meanwhile something happens. */
const recorder = (random: Random) => {
  const log: Array<Happened> = []
  const provider: { meanwhile: Effect.Effect<unknown>; leadOf: (address: string) => string } = {
    meanwhile: Effect.void,
    leadOf: (address) => address
  }
  const take = (lead: string, key: string) =>
    Effect.gen(function* () {
      if (random.next(6) === 0) {
        yield* provider.meanwhile
        return { _tag: "Unavailable", detail: "Busy.", reason: "Busy." } as const
      }
      log.push({ what: "out", lead, key, date: Date.parse(yield* now) })
      return { _tag: "Confirmed", messageId: null, externalId: null } as const
    })
  const write = (_: unknown, { idempotencyKey, recipient }: Delivery) => take(recipient.leadId, idempotencyKey)
  const gateway = Layer.effect(
    LinkedInGateway,
    Effect.map(LinkedInGateway, (simulated) =>
      LinkedInGateway.of({ ...simulated, startChat: write, sendToChat: write })
    )
  )
  const email = Layer.succeed(EmailGateway, {
    send: ({ messageId, to }) => take(provider.leadOf(to.address), messageId.split("@")[0] ?? "")
  })
  return { log, provider, gateways: { email, gateway } }
}

/** The steps of a mission. */
const stepsOf = (random: Random) =>
  Array.from({ length: 1 + random.next(4) }, () => {
    const after = random.pick(["no_reply", "no_reply", "invitation_accepted"] as const)
    const working_days = after === "no_reply" ? 1 + random.next(4) : random.next(3)
    return { after, working_days, channel: random.pick(["LINKEDIN", "LINKEDIN", "EMAIL"] as const), purpose: "Ask" }
  })

type Steps = ReturnType<typeof stepsOf>

/** The same time some weekdays later, in UTC. */
const weekdaysAfter = (from: number, days: number): number => {
  let at = from
  for (let left = days; left > 0; ) {
    at += day
    const weekday = new Date(at).getUTCDay()
    if (weekday !== 0 && weekday !== 6) left--
  }
  return at
}

const people = ["adam", "bea-2nd", "carl", "dana-2nd"]
const missions = ["spring", "autumn"]
const counted = { rounds: 0, left: 0, ended: 0, messages: 0 }

/** What may be done in a history, most often first. */
const deeds = (random: Random, side: Side, log: Array<Happened>, leads: ReadonlyArray<string>) => {
  const run = (what: string, input: unknown) => side.run({ by: "person", what, input, seconds: 0 })
  const draftsIn = (...status: ReadonlyArray<string>) =>
    Effect.map(side.read("linkedin.draft.list", { status, limit: 100 }), ({ drafts = [] }) => drafts)
  const emailsIn = (state: ReadonlyArray<string>) =>
    Effect.map(side.read("email.list", { state, limit: 100 }), ({ emails = [] }) => emails)
  const leadNow = (lead_id: string) => Effect.map(side.read("lead.get", { lead_id }), ({ lead }) => lead?.id ?? lead_id)
  const lead = Effect.suspend(() => leadNow(random.pick(leads)))
  const write = (lead_id: string, mission_id: string, channel: string) =>
    channel === "EMAIL"
      ? run("email.send", { lead_id, mission_id, subject: "Hi", body_text: "Hello" })
      : run("linkedin.draft.create", {
          lead_id,
          mission_id,
          variations: ["Hello"],
          agent_handle: random.pick(["ada", "ada", "bob"]),
          replace_open: random.next(4) === 0
        })
  const writeDue = Effect.gen(function* () {
    const { actions = [] } = yield* side.read("mission.next-actions", { limit: 10 })
    for (const { follow_up, lead_id } of actions) {
      if (follow_up !== null) yield* write(lead_id, follow_up.mission_id, follow_up.channel)
    }
  })
  const approve = Effect.gen(function* () {
    for (const { draft_id } of yield* draftsIn("PENDING_REVIEW")) {
      if (random.next(3) > 0) yield* run("linkedin.draft.approve", { draft_id, send_now: random.next(4) === 0 })
    }
    for (const { content_hash, review_id } of yield* emailsIn(["in_review"])) {
      if (random.next(3) > 0) yield* run("email.review.decide", { review_id, content_hash, decision: "approve" })
    }
  })
  const record = Effect.fnUntraced(function* (direction: "inbound" | "outbound") {
    const lead_id = yield* lead
    const at = Date.parse(yield* now)
    const date = at - random.pick([0, 0, hour])
    const channel = random.pick(["LINKEDIN", "EMAIL"])
    const message = { lead_id, channel, direction, content: "Yes", date: isoFromMillis(date) }
    const said = yield* run("lead.message.record", message)
    if (said.includes('"ok":true')) log.push({ what: direction === "inbound" ? "in" : "out", lead: lead_id, date })
  })
  const ofDraft = (command: string, ...status: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const drafts = yield* draftsIn(...status)
      if (drafts.length === 0) return
      const { draft_id } = random.pick<{ readonly draft_id: string }>(drafts)
      yield* run(command, { draft_id, ...(command.endsWith("reject") ? { reason: "Not now" } : {}) })
    })
  const dispatch = Effect.gen(function* () {
    for (const what of ["dispatch", "dispatch emails"]) yield* run(what, {})
  })
  const reply = record("inbound")
  const all: ReadonlyArray<readonly [number, string, Effect.Effect<unknown>]> = [
    [14, "write what is due", Effect.andThen(writeDue, approve)],
    [12, "dispatch", dispatch],
    [8, "approve", approve],
    [6, "contact", Effect.suspend(() => Effect.flatMap(lead, (id) => write(id, random.pick(missions), "LINKEDIN")))],
    [2, "mail", Effect.suspend(() => Effect.flatMap(lead, (id) => write(id, random.pick(missions), "EMAIL")))],
    [3, "reply", reply],
    [2, "outbound elsewhere", record("outbound")],
    [3, "cancel", ofDraft("linkedin.draft.cancel", "PENDING_REVIEW", "READY_TO_SEND")],
    [2, "reject", ofDraft("linkedin.draft.reject", "PENDING_REVIEW", "READY_TO_SEND")],
    [3, "reopen", ofDraft("linkedin.draft.reopen", "CANCELLED")],
    [
      1,
      "cancel an e-mail",
      Effect.gen(function* () {
        const emails = yield* emailsIn(["in_review", "queued"])
        if (emails.length > 0) yield* run("email.cancel", { email_id: random.pick<Side>(emails)["email_id" as never] })
      })
    ],
    [
      3,
      "status",
      Effect.gen(function* () {
        const status = random.pick(["Contacted", "Contacted", "New", "Interested", "Replied"])
        yield* run("lead.status.set", { lead_id: yield* lead, status, reason: "Said so" })
      })
    ],
    [
      2,
      "invite",
      Effect.gen(function* () {
        yield* run("linkedin.invitation.send", { lead_id: yield* lead, agent_handle: "ada" })
        yield* dispatch
      })
    ],
    [
      3,
      "accept",
      Effect.suspend(() => run("connect", { person: random.pick(people.filter((name) => name.endsWith("-2nd"))) }))
    ],
    [2, "pause", Effect.suspend(() => run("mission.pause", { mission_id: random.pick(missions), reason: "Later" }))],
    [4, "resume", Effect.suspend(() => run("mission.resume", { mission_id: random.pick(missions) }))],
    [
      1,
      "snooze",
      Effect.gen(function* () {
        const until = isoFromMillis(Date.parse(yield* now) + day)
        yield* run("linkedin.conversation.snooze", { lead_id: yield* lead, until })
      })
    ],
    [
      1,
      "leave",
      Effect.gen(function* () {
        yield* run("lead.mission.remove", { lead_ids: [yield* lead], mission_id: random.pick(missions) })
      })
    ],
    [
      1,
      "merge",
      Effect.gen(function* () {
        const [winner, loser] = [yield* lead, yield* lead]
        if (winner === loser) return
        const said = yield* run("lead.merge", { winner_lead_id: winner, loser_lead_ids: [loser] })
        if (said.includes('"ok":true')) log.push({ what: "merge", lead: loser, into: winner, date: 0 })
      })
    ]
  ]
  const begin = Effect.forEach(leads, (id) => write(id, random.pick(missions), random.pick(["LINKEDIN", "EMAIL"])))
  return { all, reply, writeDue, dispatch, begin: Effect.andThen(begin, approve) }
}

/** The steps that what left was written for, by its key: mission and step. */
const stepsWritten = Effect.fnUntraced(function* (side: Side) {
  const written = new Map<string, { readonly mission: string; readonly step: number }>()
  let ended = 0
  const { drafts = [] } = yield* side.read("linkedin.draft.list", { limit: 100 })
  for (const { dispatched_queue_item_id: key, draft_id, mission, status } of drafts) {
    const { follow_up } = yield* side.read("linkedin.draft.get", { draft_id })
    if (follow_up === null) continue
    if (status === "CANCELLED") ended++
    else if (key !== null) written.set(key, { mission: mission.handle, step: follow_up.step })
  }
  const { emails = [] } = yield* side.read("email.list", { limit: 100 })
  for (const { email_id, follow_up, mission } of emails) {
    if (follow_up !== null) written.set(email_id, { mission: mission.handle, step: follow_up.step })
  }
  return { written, ended }
})

const play = Effect.fnUntraced(function* (seed: number, store: StoreName) {
  const random = randomOf(seed)
  const { gateways, log, provider } = recorder(random)
  const side = yield* makeSide(store, { pacing: false, agent: {} }, gateways)
  let at = start
  const pass = (millis: number) =>
    Effect.suspend(() => {
      at += millis
      return TestClock.setTime(at)
    })
  const run = (what: string, input: unknown) =>
    Effect.andThen(pass(1_000), side.run({ by: "person", what, input, seconds: 0 })).pipe(
      Effect.tap((said) => Effect.sync(() => assert.include(said, '"ok":true', what)))
    )
  yield* pass(0)
  for (const name of ["Ada", "Bob"]) {
    const email_accounts = [{ provider: "SMTP", email: `${name.toLowerCase()}@sender.example` }]
    yield* run("agent.create", { first_name: name, last_name: "Martin", handle: name.toLowerCase(), email_accounts })
  }
  const planned: Record<string, Steps> = {}
  for (const handle of missions) {
    yield* run("mission.create", { name: handle, handle, agent_handle: "ada", email_review_strategy: "AUTO" })
    planned[handle] = stepsOf(random)
    yield* run("mission.steps.set", { mission_id: handle, steps: planned[handle] })
  }
  const leads: Array<string> = []
  for (const name of people) {
    const linkedin_url = `https://www.linkedin.com/in/${name}`
    const lead = { name, email: `${name}@${name}.example`, linkedin_url }
    for (const mission_id of missions) yield* run("lead.upsert", { ...lead, mission_id })
    const { leads: found = [] } = yield* side.read("lead.search", { query: name, limit: 10 })
    leads.push(found[0]?.id ?? found[0]?.lead_id)
  }
  const live = (lead: string): string => log.find((one) => one.what === "merge" && one.lead === lead)?.into ?? lead
  provider.leadOf = (address) => live(live(live(leads[people.indexOf(address.split("@")[0] ?? "")] ?? "")))
  const { all, begin, dispatch, reply, writeDue } = deeds(random, side, log, leads)
  const bag = all.flatMap((deed) => Array.from({ length: deed[0] }, () => deed))
  const told: Array<string> = []
  yield* begin
  yield* Effect.andThen(pass(day), dispatch)
  for (let count = 0; count < 50; count++) {
    provider.meanwhile = random.pick([Effect.void, reply])
    yield* pass(random.pick([5_000, 60_000, hour, 5 * hour, 20 * hour, day, 2 * day]))
    const [, name, deed] = random.pick(bag)
    told.push(`${isoFromMillis(at)} ${name}`)
    yield* deed
  }
  for (let count = 0; count < 3; count++) {
    yield* Effect.andThen(pass(3 * day), writeDue)
    yield* Effect.andThen(pass(day), dispatch)
  }
  const { ended, written } = yield* stepsWritten(side)
  counted.rounds++
  counted.ended += ended
  const history = () => `${JSON.stringify(planned)}\n${JSON.stringify(log, null, 1)}\n${told.join("\n")}`
  /** A lead with those merged into it so far. */
  let members = new Map<string, ReadonlySet<string>>(leads.map((id) => [id, new Set([id])]))
  for (const [index, one] of log.entries()) {
    if (one.what === "merge") {
      const both = new Set([...(members.get(one.into ?? "") ?? []), ...(members.get(one.lead) ?? [])])
      members = new Map([...members, [one.into ?? "", both]])
      continue
    }
    const step = one.key === undefined ? undefined : written.get(one.key)
    if (one.what === "out") counted.messages++
    if (step === undefined) continue
    counted.left++
    const before = log.slice(0, index).filter(({ lead, what }) => what !== "merge" && members.get(one.lead)?.has(lead))
    assert.isFalse(
      before.some(({ what }) => what === "in"),
      `${one.key} left after a reply\n${history()}`
    )
    const isSame = ({ key = "" }: Happened) =>
      written.get(key)?.mission === step.mission && written.get(key)?.step === step.step
    assert.isFalse(before.some(isSame), `${one.key} left twice for a step\n${history()}`)
    const last = Math.max(...before.filter(({ what }) => what === "out").map(({ date }) => date))
    const { after, working_days = 0 } = planned[step.mission]?.[step.step - 1] ?? {}
    if (after === "no_reply") assert.isAtLeast(last, start, `${one.key} follows nothing\n${history()}`)
    if (Number.isFinite(last)) {
      assert.isAtLeast(one.date, weekdaysAfter(last, working_days), `${one.key} left too early\n${history()}`)
    }
  }
})

const [first = 1, last = effort(60)] = (process.env["SVC_TEST_ROUNDS"]?.split("-") ?? []).map(Number)
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index)
const storeOf = (seed: number): StoreName => (hasPostgres() && seed % 6 === 0 ? "postgres" : "memory")

describe("follow-ups", () => {
  for (const seed of seeds) {
    it.effect(`leave only when they may, round ${seed}`, () => Effect.scoped(play(seed, storeOf(seed))))
  }

  afterAll(() => {
    console.log(JSON.stringify(counted))
    if (counted.rounds < 20) return
    assert.isAbove(counted.left, counted.rounds, "follow-ups left")
    assert.isAbove(counted.ended, counted.rounds / 2, "follow-ups were cancelled")
  })
})
