/** A mission with steps and a lead who was written to, on a Monday morning. */

import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { dispatchEmails } from "#core/email/sending/emails.ts"
import type { Dispatch } from "#core/kernel/command/Dispatch.ts"
import { announceFollowUps } from "#core/leads/FollowUpsWorker.ts"
import type { MissionStep } from "#core/missions/Mission.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { defaultSendOptions, SendOptions } from "#core/outreach/SendOptions.ts"
import * as SimulatedEmail from "#memory/simulator/SimulatedEmail.ts"
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import { code, ok } from "../support/World.ts"

/** Gateways that take everything. */
export const takingAll = { acceptSeconds: 1_000_000, email: SimulatedEmail.layer }

/** Monday, 23 November 2026, 10:00 UTC. */
export const monday = Date.parse("2026-11-23T10:00:00.000Z")

const day = 24 * 3_600_000

/** The same time some days later. */
export const days = (count: number) => new Date(monday + count * day).toISOString()

export const step = (changes: Partial<MissionStep> = {}): MissionStep => ({
  after: "no_reply",
  working_days: 3,
  channel: "LINKEDIN",
  purpose: "Ask one question",
  ...changes
})

/** Two follow-ups: on LinkedIn after three working days, and by e-mail after two more. */
export const twoSteps = [step(), step({ working_days: 2, channel: "EMAIL", purpose: "Say goodbye" })]

let prepared = 0

const unpaced = Effect.provideService(SendOptions, { ...defaultSendOptions, pacing: false })

/** What was said of a record of some shape. */
// biome-ignore lint/suspicious/noExplicitAny: outputs of many commands, looked into by the tests of each
export type Said = any

/** An organization with a mission `spring` of these steps. */
export const prepareMission = Effect.fnUntraced(function* (steps: ReadonlyArray<object> = twoSteps) {
  prepared += 1
  const organizationId = `org_follow_${prepared}`
  const as = { actor: owner(organizationId) }
  const run = (command: string, input: object): Effect.Effect<Said, never, Dispatch> => ok(command, input, as)
  const codeOf = (command: string, input: object) => code(command, input, as)
  yield* TestClock.setTime(monday)
  yield* organization(organizationId)
  const mailbox = `ada@${organizationId.replaceAll("_", "-")}.example`
  yield* run("agent.create", {
    first_name: "Ada",
    last_name: "Martin",
    timezone: "UTC",
    email_accounts: [{ provider: "SMTP", email: mailbox }]
  })
  yield* run("mission.create", { name: "Spring", handle: "spring", agent_handle: "ada-martin" })
  yield* run("PATCH /missions/{missionHandle}", { missionHandle: "spring", emailReviewStrategy: "AUTO" })
  yield* run("mission.steps.set", { mission_id: "spring", steps })
  const dispatch = unpaced(Effect.andThen(dispatchDue({ organizationId }), dispatchEmails({ organizationId })))
  const addLead = (name: string) =>
    Effect.map(
      run("lead.upsert", {
        name,
        email: `${name}@${organizationId.replaceAll("_", "-")}.example`,
        linkedin_url: `https://www.linkedin.com/in/${name}`,
        mission_id: "spring"
      }),
      ({ lead_id }) => String(lead_id)
    )
  /** Writes a draft; returns its id. */
  const draft = (lead_id: string, changes: object = {}) =>
    Effect.map(
      run("linkedin.draft.create", { lead_id, mission_id: "spring", variations: ["Hello"], ...changes }),
      (said) => String(said.draft.draft_id)
    )
  const email = (lead_id: string, mission_id = "spring") =>
    Effect.map(run("email.send", { lead_id, mission_id, subject: "Hi", body_text: "Hello" }), (said) => said.email)
  const approve = (draft_id: string) => run("linkedin.draft.approve", { draft_id })
  const write = Effect.fnUntraced(function* (lead_id: string) {
    yield* approve(yield* draft(lead_id))
    yield* TestClock.adjust("11 seconds")
    yield* dispatch
  })
  const reply = (lead_id: string, channel = "EMAIL") =>
    run("lead.message.record", { lead_id, channel, direction: "inbound", content: "Tell me more" })
  const contextOf = (lead_id: string) => Effect.map(run("lead.get", { lead_id }), (said) => said.prospect_context)
  const statusOf = (draft_id: string) =>
    Effect.map(run("linkedin.draft.get", { draft_id }), (said) => String(said.draft.status))
  const stepOf = (draft_id: string) =>
    Effect.map(run("linkedin.draft.get", { draft_id }), (said) => said.follow_up?.step ?? null)
  const announce = announceFollowUps
  return {
    organizationId,
    run,
    codeOf,
    dispatch,
    addLead,
    draft,
    email,
    approve,
    write,
    reply,
    contextOf,
    statusOf,
    stepOf,
    announce
  }
})

/** The same with a lead who was written to on Monday. */
export const prepareLead = Effect.fnUntraced(function* (steps?: ReadonlyArray<object>) {
  const world = yield* prepareMission(steps)
  const lead_id = yield* world.addLead("grace")
  yield* world.write(lead_id)
  assert.strictEqual((yield* world.run("lead.get", { lead_id })).lead.status, "Contacted")
  return { ...world, lead_id }
})

/** Sets the clock to some days after Monday, a minute later. */
export const setDay = (count: number) => TestClock.setTime(monday + count * day + 60_000)
