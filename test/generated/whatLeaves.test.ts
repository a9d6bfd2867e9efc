/**
 * What was approved is what leaves. Two messages, an invitation and an email are approved, and before they are sent anything may
 * happen that the catalogue can do, and what a provider tells. Each then goes to the profile or address that was shown, from that
 * account, with that text and for that mission; or it does not leave.
 *
 * `SVC_TEST_ROUNDS=17-17` runs one round.
 */
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { EmailGateway } from "#core/email/EmailGateway.ts"
import { LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import type { Delivery } from "#core/outreach/provider/ProviderReads.ts"
import { hasPostgres } from "../support/backends.ts"
import { effort } from "../support/effort.ts"
import { randomOf } from "../support/random.ts"
import type { StoreName } from "../support/World.ts"
import { makeSide, type Side } from "./differentialSide.ts"
import { firstSteps, type Step, start, stepCommands, stepOf } from "./differentialSteps.ts"

/** Whom something goes to, from which account or address, and what it says: as shown, or as a provider was asked. */
interface Facts {
  readonly to: string | null
  readonly from: string | null
  /** Undefined where it is not shown. */
  readonly text: string | null | undefined
  readonly mission?: string | null
}

/** Gateways that keep what they were asked to send, by its key; while they are busy they take nothing. */
const recorder = () => {
  const left = new Map<string, Facts>()
  const provider = { isBusy: true }
  const take = (key: string, facts: Facts) =>
    Effect.sync(() => {
      if (provider.isBusy) return { _tag: "Unavailable", detail: "Busy.", reason: "Busy." } as const
      left.set(key, facts)
      return { _tag: "Confirmed", messageId: null, externalId: null } as const
    })
  const write = ({ id }: { readonly id: string }, { idempotencyKey, recipient }: Delivery, text: string | null) =>
    take(idempotencyKey, { to: recipient.identities.map(({ value }) => value).join(" "), from: id, text })
  const gateway = Layer.effect(
    LinkedInGateway,
    Effect.map(LinkedInGateway, (simulated) =>
      LinkedInGateway.of({
        ...simulated,
        startChat: (account, chat) => write(account, chat, chat.text),
        sendToChat: (account, chat) => write(account, chat, chat.text),
        sendInvitation: (account, invitation) => write(account, invitation, invitation.note)
      })
    )
  )
  const email = Layer.succeed(EmailGateway, {
    send: ({ from, messageId, subject, text, to }) =>
      take(messageId.split("@")[0] ?? "", { to: to.address, from: from.address, text: `${subject} ${text}` })
  })
  return { left, provider, gateways: { email, gateway } }
}

/** Everything that waits as a reader sees it, by the key that a provider gets. */
const shown = Effect.fnUntraced(function* ({ read }: Side) {
  const facts = new Map<string, Facts>()
  const { accounts } = yield* read("linkedin.account.list", {})
  const leadOf = (lead_id: string) => Effect.map(read("lead.get", { lead_id }), ({ lead = {} }) => lead)
  const { items } = yield* read("linkedin.queue.list", { state: ["queued", "waiting_relation"], limit: 100 })
  for (const { account_id, draft_id, kind, lead_id, queue_id } of items) {
    const draft = kind === "message" ? (yield* read("linkedin.draft.get", { draft_id })).draft : undefined
    const { linkedin_url } = yield* leadOf(lead_id)
    const sender = accounts.find((account: Readonly<Record<string, string>>) =>
      draft === undefined ? account["account_id"] === account_id : account["agent_handle"] === draft.agent.handle
    )
    facts.set(queue_id, {
      to: linkedin_url?.split("/in/")[1] ?? null,
      from: sender?.account_id ?? null,
      text: draft?.selected_body_text,
      mission: draft?.mission?.mission_id ?? null
    })
  }
  const missions = new Map<string, string>()
  for (const missionHandle of ["spring", "autumn"]) {
    const { mission = {} } = yield* read("GET /missions/{missionHandle}", { missionHandle })
    missions.set(mission.id, mission.status)
  }
  const { emails } = yield* read("email.list", { state: ["queued"], limit: 100 })
  for (const { body_text, email_id, from, lead, mission, subject } of emails) {
    const { email = null } = yield* leadOf(lead.id)
    facts.set(email_id, { to: email, from, text: `${subject} ${body_text}`, mission: mission?.id ?? null })
  }
  return { facts, missions }
})

/** Commands that may change what is shown. */
const changing = [
  ...["lead.upsert", "lead.merge", "linkedin.draft.update", "agent.update", "mission.update", "mission.delete"],
  ...["lead.mission.add", "import.csv", "import.undo", "receive"]
]
const stepsBetween = 5
/** An approval of these is one anew. */
const approving = new Set(["linkedin.invitation.send", "email.review.decide", "approval.resolve"])

const counted = {
  rounds: 0,
  left: { message: 0, invitation: 0, email: 0 },
  held: { message: 0, invitation: 0, email: 0 }
}

const person = (what: string, input: unknown = {}): Step => ({ by: "person", what, input, seconds: 2 })
const nth = (kind: string, at: number) => ({ kind, nth: at })
const approvals = [
  person("linkedin.draft.update", { draft_id: nth("draft_id", 0), mission_id: "spring" }),
  ...[0, 1].map((at) => person("linkedin.draft.approve", { draft_id: nth("draft_id", at), variation_index: 0 })),
  person("linkedin.invitation.send", { lead_id: nth("lead_id", 2), agent_handle: "bob" }),
  person("email.send", { lead_id: nth("lead_id", 3), mission_id: "spring", subject: "Hello", body_text: "Text" })
]

/** Changes of what was approved above, one of which is made in most rounds. */
const changes: ReadonlyArray<ReadonlyArray<Step>> = [
  ["ada", "bob"].map((agent_handle) => person("linkedin.account.unlink", { agent_handle })),
  ...["ada", "bob"].map((agent_handle) => [
    person("linkedin.account.unlink", { agent_handle }),
    person("linkedin.account.link", { agent_handle, gateway_account_id: "sim-two" })
  ]),
  ...["autumn", null].map((mission_id) => [
    person("linkedin.draft.update", { draft_id: nth("draft_id", 0), mission_id })
  ]),
  [person("mission.pause", { mission_id: "spring" })],
  [
    person("mission.pause", { mission_id: "spring" }),
    person("linkedin.draft.update", { draft_id: nth("draft_id", 0), mission_id: "autumn" })
  ],
  [person("linkedin.draft.update", { draft_id: nth("draft_id", 1), variations: ["Other"] })],
  ...[0, 2].map((at) => [
    person("lead.upsert", { lead_id: nth("lead_id", at), linkedin_url: "https://www.linkedin.com/in/other" })
  ]),
  [person("lead.upsert", { lead_id: nth("lead_id", 3), email: "other@example.com" })],
  [person("agent.update", { agent_handle: "ada", email_accounts: [{ provider: "SMTP", email: "x@sender.example" }] })],
  ...[0, 2, 3].map((at) => [
    person("lead.merge", { winner_lead_id: nth("lead_id", 1), loser_lead_ids: [nth("lead_id", at)] })
  ])
]

const play = Effect.fnUntraced(function* (seed: number, store: StoreName) {
  const random = randomOf(seed)
  const { gateways, left, provider } = recorder()
  const side = yield* makeSide(store, { pacing: false, agent: {} }, gateways)
  let at = start
  const take = Effect.fnUntraced(function* (step: Step) {
    at += step.seconds * 1_000
    yield* TestClock.setTime(at)
    yield* side.run(step)
  })
  yield* TestClock.setTime(at)
  yield* Effect.forEach([...firstSteps(), ...approvals], take, { discard: true })
  const approved = new Map((yield* shown(side)).facts)
  const steps: Array<Step> = []
  for (let count = 0; count < stepsBetween; count++) {
    const any = stepCommands[(seed * stepsBetween + count) % stepCommands.length] ?? "dispatch"
    const made = () => [{ ...person(""), ...stepOf(random, random.pick([any, random.pick(changing)]), at) }]
    const next = count === 0 ? random.pick([...changes, []]) : made()
    steps.push(...next)
    yield* Effect.forEach(next, take, { discard: true })
    for (const [key, facts] of (yield* shown(side)).facts) {
      if (!approved.has(key) || next.some(({ what }) => approving.has(what))) approved.set(key, facts)
    }
  }
  provider.isBusy = false
  yield* take({ ...person("expire"), seconds: 26 * 3_600 })
  const now = yield* shown(side)
  yield* Effect.forEach(
    ["dispatch", "dispatch emails", "dispatch"].map((what) => person(what)),
    take,
    { discard: true }
  )
  counted.rounds++
  const round = steps.map((step) => JSON.stringify(step)).join("\n")
  // send_now does not wait for a mission.
  const isForced = round.includes('"send_now":true')
  for (const [key, facts] of approved) {
    const sent = left.get(key)
    const kind = key.startsWith("que") ? "message" : key.startsWith("inv") ? "invitation" : "email"
    if (sent === undefined) {
      counted.held[kind]++
      continue
    }
    counted.left[kind]++
    const { from, mission, text, to } = facts
    if (!isForced) assert.include([undefined, "ACTIVE"], now.missions.get(mission ?? ""), `${key} left\n${round}`)
    assert.deepStrictEqual(now.facts.get(key), facts, `${key} left, and this is shown of it now\n${round}`)
    assert.deepStrictEqual(sent, { to, from, text: text === undefined ? sent.text : text }, `${key} left\n${round}`)
  }
})

const [first = 1, last = effort(120)] = (process.env["SVC_TEST_ROUNDS"]?.split("-") ?? []).map(Number)
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index)
const storeOf = (seed: number): StoreName => (hasPostgres() && seed % 6 === 0 ? "postgres" : "memory")

describe("what was approved", () => {
  for (const seed of seeds) {
    it.effect(`is what leaves, or nothing does, round ${seed}`, () => Effect.scoped(play(seed, storeOf(seed))))
  }

  // A test that sends nothing, or holds nothing back, proves nothing.
  afterAll(() => {
    if (counted.rounds < 20) return
    const { held, left, rounds } = counted
    for (const count of [left, held].flatMap(Object.values)) assert.isAtLeast(count, rounds / 10)
  })
})
