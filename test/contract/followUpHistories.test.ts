/**
 * Follow-ups over generated histories: lists and the work list say what the rule says of what is found, each follow-up is announced
 * once, and every store has the same facts.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import { SqlClient } from "effect/sql/SqlClient"
import { AgentsRepo } from "#core/agents/Agent.ts"
import type { WorkingHours } from "#core/agents/WorkingHours.ts"
import { DueWork } from "#core/kernel/background/DueWork.ts"
import { type FollowUp, nextFollowUp } from "#core/leads/followUp.ts"
import type { LeadRow } from "#core/leads/Lead.ts"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import { nextAction } from "#core/leads/NextAction.ts"
import { actionFactsOf } from "#core/leads/ProspectContext.ts"
import { PrivacyRepo } from "#core/leads/privacy/PrivacyRepo.ts"
import type { MissionRow, MissionStep } from "#core/missions/Mission.ts"
import { MissionsRepo } from "#core/missions/MissionsRepo.ts"
import { DraftsRepo } from "#core/outreach/DraftsRepo.ts"
import { AccountsRepo } from "#core/outreach/provider/AccountsRepo.ts"
import { type DraftRow, type EmailRow, freshRow } from "#core/outreach/Transmission.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import { ReportsRepo } from "#core/reports/ReportsRepo.ts"
import { effort } from "../support/effort.ts"
import { keepQuietLeads, keptDifferences } from "../support/keptLeads.ts"
import { organization } from "../support/organization.ts"
import { type Random, randomOf } from "../support/random.ts"
import { eachBackend } from "./backends.ts"
import { agentRow, draftRow, invitationRow, leadRow, missionRow } from "./outreachRows.ts"

const rounds = effort(12)
const deedsOfRound = 60
const leadIds = ["ld_0", "ld_1", "ld_2", "ld_3"]
const missionIds = ["mis_a", "mis_b"]
const agentIds = ["agt_1", "agt_2"]
const hour = 3_600_000

/** A week before a change of summer time. */
const start = Date.parse("2026-03-20T09:30:00.000Z")
const iso = (millis: number): string => new Date(millis).toISOString()

const day = [{ start: "09:00", end: "17:00" }]
const weeks: ReadonlyArray<WorkingHours> = [{}, { monday: day, sunday: day }, { holidays: ["2026-03-30"] }]

const stepsOf = (random: Random): ReadonlyArray<MissionStep> =>
  Array.from({ length: random.next(4) }, (_, place) => ({
    after: random.pick(["no_reply", "no_reply", "invitation_accepted"] as const),
    working_days: 1 + random.next(3),
    channel: random.pick(["EMAIL", "LINKEDIN"] as const),
    purpose: `Step ${place}`
  }))

const prepare = Effect.fnUntraced(function* (org: string) {
  yield* organization(org)
  const agents = yield* AgentsRepo
  for (const [place, id] of agentIds.entries()) {
    yield* agents.insert({ ...agentRow(org, id, id), timezone: place === 0 ? "Europe/Berlin" : "" }, [id])
  }
  const account = { organizationId: org, gateway: "simulator", status: "OK", tier: "FREE", features: [] } as const
  const at = iso(start)
  const accounts = yield* AccountsRepo
  yield* accounts.ensure({
    ...account,
    id: "acc_1",
    agentId: "agt_1",
    gatewayAccountId: "1",
    createdAt: at,
    updatedAt: at
  })
  for (const [place, id] of missionIds.entries()) {
    const handle = id.slice(4)
    yield* (yield* MissionsRepo).insert({ ...missionRow(org, handle), agentId: agentIds[place] ?? null }, [handle])
  }
  const leads = yield* LeadsRepo
  for (const [place, id] of leadIds.entries()) {
    const email = place === 3 ? "" : `${id}@Example.com`
    const row = leadRow(org, id, { email, linkedinUrl: place === 2 ? "" : `https://www.linkedin.com/in/${id}` })
    const held = { organizationId: org, kind: "email", value: `${id}@example.com`, leadId: id, derived: false } as const
    yield* leads.write({ organizationId: org, rows: [], created: [row], held: [held] })
    if (place !== 1) yield* leads.link(org, "mis_a", [id], at)
  }
})

/** Does things at random, and says what. */
const deedsOf = Effect.fnUntraced(function* (org: string, random: Random) {
  const agents = yield* AgentsRepo
  const drafts = yield* DraftsRepo
  const leads = yield* LeadsRepo
  const missions = yield* MissionsRepo
  const privacy = yield* PrivacyRepo
  const queue = yield* TransmissionsRepo
  const rows = new Map<string, LeadRow>()
  const written: Array<DraftRow> = []
  const mails: Array<EmailRow> = []
  let n = 0
  const lead = Effect.fnUntraced(function* (at: string, changes: (row: LeadRow) => Partial<LeadRow>) {
    const id = random.pick(leadIds)
    const row = rows.get(id) ?? (yield* leads.find(org, { identities: [], leadId: id })).leads[0]?.row
    if (row === undefined) return assert.fail(id)
    const changed = { ...row, ...changes(row), updatedAt: at }
    rows.set(id, changed)
    yield* leads.write({ organizationId: org, rows: [changed] })
  })
  const mission = (changes: Partial<MissionRow>) =>
    Effect.gen(function* () {
      const row = yield* missions.findByIdOrHandle(org, random.pick(missionIds))
      if (row !== undefined) yield* missions.replace({ ...row, ...changes }, row.updatedAt)
    })
  const followUpOf = (at: string): FollowUp => ({ step: random.next(3), since: at })
  const saveDraft = (changes: Partial<DraftRow>) =>
    Effect.suspend(() => {
      const row = written.pop()
      return row === undefined ? Effect.void : drafts.save(org, [{ ...row, ...changes }])
    })
  const saveMail = (state: EmailRow["state"]) =>
    Effect.suspend(() => {
      const row = mails.pop()
      return row === undefined ? Effect.void : queue.save(org, [{ ...row, state }])
    })
  const deeds: ReadonlyArray<(at: string) => Effect.Effect<unknown, unknown>> = [
    (at) => lead(at, () => ({ status: "Contacted", lastOutboundAt: at })),
    (at) => lead(at, () => ({ status: "Contacted", lastOutboundAt: at })),
    (at) => lead(at, () => ({ status: "Contacted", lastInboundAt: null, lastOutboundAt: at })),
    (at) => lead(at, () => ({ lastInboundAt: at })),
    (at) => lead(at, () => ({ status: random.pick(["New", "Waiting", "Contacted", "Replied", "Interested"]) })),
    (at) => lead(at, () => ({ snoozedUntil: random.pick([null, iso(Date.parse(at) + random.next(200) * hour)]) })),
    (at) => lead(at, () => ({ awayUntil: random.pick([null, iso(Date.parse(at) + random.next(200) * hour)]) })),
    (at) => lead(at, ({ email, id }) => ({ email: email === "" ? `${id}@Example.com` : "" })),
    (at) => lead(at, ({ id, linkedinUrl }) => ({ linkedinUrl: linkedinUrl === "" ? `https://li/${id}` : "" })),
    (at) => leads.link(org, random.pick(missionIds), [random.pick(leadIds)], at),
    () => leads.unlink(org, random.pick(missionIds), [random.pick(leadIds)]),
    () => missions.saveSteps(org, random.pick(missionIds), stepsOf(random)),
    () => missions.saveSteps(org, random.pick(missionIds), stepsOf(random)),
    () => mission({ status: random.pick(["ACTIVE", "ACTIVE", "PAUSED", "COMPLETED"]) }),
    () => mission({ agentId: random.pick(agentIds) }),
    Effect.fnUntraced(function* () {
      const row = yield* agents.find(org, random.pick(agentIds))
      const changes = { timezone: random.pick(["", "CET", "America/New_York"]), workingHours: random.pick(weeks) }
      if (row !== undefined) yield* agents.replace({ ...row, ...changes }, row.updatedAt)
    }),
    (at) => {
      const value = `${random.pick(leadIds)}@example.com`
      const entry = { organizationId: org, kind: "bounced", value, leadId: null, reason: "gone", until: null } as const
      return random.next(2) === 0
        ? privacy.addSuppressions(org, [{ ...entry, createdAt: at }])
        : privacy.liftSuppressions(org, [{ kind: "bounced", value }], undefined)
    },
    (at) => {
      const leadId = random.pick(leadIds)
      const accepted = { id: `inv_${n++}`, state: "accepted", sentAt: at, endedAt: at, notBefore: null } as const
      return queue.save(org, [{ ...invitationRow(org, leadId, at), ...accepted }])
    },
    Effect.fnUntraced(function* (at) {
      const place = { leadId: random.pick(leadIds), agentId: random.pick(agentIds), missionId: random.pick(missionIds) }
      const row = draftRow(org, `drf_${n++}`, { ...place, followUp: followUpOf(at), createdAt: at, updatedAt: at })
      const [open] = yield* drafts.insert([row])
      if (open === undefined) written.push(row)
    }),
    (at) => saveDraft({ status: "CANCELLED", cancelledAt: at }),
    (at) =>
      saveDraft({
        status: "CANCELLED",
        cancelledAt: at,
        review: { ...draftRow(org, "").review, rejection: { text: "No", userId: "usr_1", at } } as never
      }),
    (at) => saveDraft({ status: "DISPATCHED", dispatchedAt: at, selectedIndex: 0, selectedBodyText: "Hi" }),
    (at) => {
      const leadId = random.pick(leadIds)
      const mail = mailRow(org, `eml_${n++}`, leadId, random.pick(missionIds), followUpOf(at), at)
      mails.push(mail)
      return queue.save(org, [mail])
    },
    () => saveMail("cancelled"),
    () => saveMail("rejected"),
    () => saveMail("sent")
  ]
  return (at: string) => Effect.suspend(() => random.pick(deeds)(at))
})

const mailRow = (
  organizationId: string,
  id: string,
  leadId: string,
  missionId: string,
  followUp: FollowUp,
  at: string
): EmailRow => ({
  ...freshRow,
  kind: "email",
  id,
  organizationId,
  agentId: "agt_1",
  leadId,
  accountId: null,
  draftId: null,
  missionId,
  followUp,
  fromAddress: "ada@example.com",
  toAddress: "noor@example.com",
  subject: "Hi",
  bodyText: "Hi",
  bodyHtml: null,
  strategy: "MANUAL",
  state: "in_review",
  decision: null,
  decidedBy: null,
  decidedAt: null,
  approved: null,
  notBefore: null,
  messageId: null,
  createdBy: "usr_1",
  steps: [],
  createdAt: at,
  updatedAt: at
})

/** What a store says at an instant, after comparing it with the rule. */
const look = Effect.fnUntraced(function* (org: string, at: string) {
  const leads = yield* LeadsRepo
  const { items } = yield* leads.search(org, {}, "action", { limit: 50, after: undefined }, at)
  const facts = yield* leads.followUpFacts(org, leadIds)
  const waiting = new Map((yield* (yield* ReportsRepo).nextActions(org, undefined, 50, at)).map((one) => [one.id, one]))
  for (const { action, id } of items) {
    const { leads: found } = yield* leads.find(org, { identities: [], leadId: id })
    const [view] = found
    if (view === undefined) return assert.fail(id)
    assert.strictEqual(action, nextAction(actionFactsOf(view, at), at), `${at} ${JSON.stringify(view)}`)
    const known = facts.get(id)
    assert.deepStrictEqual(known?.inMissions ?? [], view.followUps.inMissions)
    const next = action === "follow_up_due" && known !== undefined ? nextFollowUp(known) : null
    const mission = known?.inMissions.find(({ missionId }) => missionId === next?.missionId)
    const planned = next && { ...Struct.pick(next, ["missionId", "step", "dueAt"]), steps: mission?.steps }
    assert.deepStrictEqual(waiting.get(id)?.followUp ?? null, planned)
  }
  return {
    actions: items.map(({ action, id }) => `${id} ${action}`),
    facts: [...facts]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, one]) => ({
        id,
        ...Struct.pick(one, ["status", "email", "linkedinUrl", "lastInboundAt", "lastOutboundAt", "snoozedUntil"]),
        ...Struct.pick(one, ["awayUntil", "isBounced", "acceptedAt"]),
        inMissions: one.inMissions.toSorted((a, b) => (a.missionId < b.missionId ? -1 : 1))
      }))
  }
})

/** Announces what is due, which a worker is told of, and asserts that it is what the list has and was not announced before. */
const announce = Effect.fnUntraced(function* (org: string, at: string, announced: Map<string, string>) {
  const leads = yield* LeadsRepo
  const told = yield* (yield* DueWork).find("follow_ups", at, 100)
  const { items } = yield* leads.search(org, {}, "action", { limit: 50, after: undefined }, at)
  const due = items.flatMap(({ action, id }) => (action === "follow_up_due" ? [id] : []))
  const found = [...(yield* leads.announceFollowUps(org, at, 1)), ...(yield* leads.announceFollowUps(org, at, 50))]
  if (found.length > 0) assert.include(told, org)
  for (const { leadId, ...one } of found) {
    const key = JSON.stringify(Struct.pick(one, ["missionId", "step", "dueAt"]))
    assert.include(due, leadId)
    assert.notStrictEqual(announced.get(leadId), key)
    announced.set(leadId, key)
  }
  assert.deepStrictEqual([...due].toSorted(), due.filter((id) => announced.has(id)).toSorted())
  assert.deepStrictEqual(yield* leads.announceFollowUps(org, at, 50), [])
  return found.toSorted((a, b) => (a.leadId < b.leadId ? -1 : 1))
})

/** What the first store said, by the number of the round. */
const said = new Map<number, unknown>()
const kinds = new Map<string, number>()

eachBackend("follow-ups", (layer) =>
  it.layer(layer)((it) => {
    for (let round = 1; round <= rounds; round++) {
      it.effect(`are what the rule says of a generated history, round ${round}`, () =>
        Effect.gen(function* () {
          const org = `org_follow_${round}`
          const random = randomOf(round)
          yield* prepare(org)
          const deed = yield* deedsOf(org, random)
          const announced = new Map<string, string>()
          const trace: Array<unknown> = []
          let now = start
          for (let count = 0; count < deedsOfRound; count++) {
            now += random.next(15) * hour + random.next(3) * 1_000
            yield* Effect.orDie(deed(iso(now)))
            if (count % 6 !== 5) continue
            trace.push(yield* announce(org, iso(now), announced))
            for (const days of [0, 2, 9]) trace.push(yield* look(org, iso(now + days * 24 * hour)))
            const sql = yield* Effect.serviceOption(SqlClient)
            if (Option.isNone(sql)) continue
            const differences = yield* keptDifferences.pipe(Effect.provideService(SqlClient, sql.value))
            assert.deepStrictEqual(
              differences.filter((row) => row.includes(": lead_actions ")),
              []
            )
          }
          yield* keepQuietLeads
          kinds.set("announced", (kinds.get("announced") ?? 0) + announced.size)
          const before = said.get(round)
          if (before === undefined) said.set(round, trace)
          else assert.deepStrictEqual(trace, before)
        })
      )
    }
  })
)

describe("the histories", () => {
  it("have follow-ups that are due", () => assert.isAbove(kinds.get("announced") ?? 0, rounds))
})
