/**
 * The scenarios that every surface must answer alike, in the order in which they are run on one workspace: each command of
 * the catalogue at least once, and each class of failure.
 */
import { exampleSearch } from "#core/imports/importSearch.ts"
import type { Outcome, Step } from "./Surface.ts"

/** What a scenario may take from an earlier one of the same surface: the value at a path of its body. */
export type Earlier = (scenario: string, path: string) => string

/** A scenario. `status` and `code` are what it must come to. */
export interface Scenario {
  readonly name: string
  readonly step: Step | ((earlier: Earlier) => Step)
  readonly status: number
  readonly code?: string
  /** The input holds a cursor, which is the surface's own, so its command_hash is too. */
  readonly ownInput?: boolean
}

/** The value at a path such as `data.draft.draft_id`; throws when there is no text. */
export const textAt = ({ body }: Outcome, path: string): string => {
  let value: unknown = body
  for (const name of path.split(".")) value = Object(value)[name]
  if (typeof value !== "string") throw new Error(`no text at ${path} of ${JSON.stringify(body)}`)
  return value
}

const run = (name: string, command: string, input: unknown, more: Omit<Step, "command" | "input"> = {}): Scenario => ({
  name,
  step: { command, input, ...more },
  status: 200
})

const refused = (
  name: string,
  status: number,
  code: string,
  command: string,
  input: unknown,
  more: Omit<Step, "command" | "input"> = {}
): Scenario => ({ name, step: { command, input, ...more }, status, code })

const resource = (uri: string, more: Omit<Step, "resource"> = {}): Scenario => ({
  name: `read ${uri}`,
  step: { resource: uri, ...more },
  status: 200
})

const alan = "drf_SAMPLE00000000000000000001"
const katherine = "drf_SAMPLE00000000000000000002"
const edsger = "drf_SAMPLE00000000000000000003"
const person = (slug: string) => ({ name: `Person ${slug}`, linkedin_url: `https://www.linkedin.com/in/${slug}` })
const draftTo = (slug: string) => ({
  linkedin_url: `https://www.linkedin.com/in/${slug}`,
  agent_handle: "ada-martin",
  variations: [{ body_text: `Hello ${slug}, — ünïcode 👋 & "quotes" \\ \n second line` }]
})
const offer = {
  offer_id: "parity",
  name: "Parity",
  one_liner: "One",
  value_proposition: "Same everywhere",
  // The compact profile cuts it.
  references: [{ type: "CASE_STUDY", content: "Six days became two. ".repeat(20), company: "Acme" }]
}

const offers: ReadonlyArray<Scenario> = [
  run("create an offer", "offer.create", offer),
  run("create the same offer again", "offer.create", offer),
  refused("the id is taken by other content", 409, "DUPLICATE_ID", "offer.create", { ...offer, name: "Other" }),
  run("dry run of a change", "offer.update", { offer_id: "parity", name: "Never" }, { dryRun: true }),
  run("the dry run left nothing", "offer.get", { offer_id: "parity" }),
  run("change an offer under a key", "offer.update", { offer_id: "parity", name: "Kept" }, { idempotencyKey: "k 1" }),
  run("replay under the key", "offer.update", { offer_id: "parity", name: "Kept" }, { idempotencyKey: "k 1" }),
  refused(
    "another body under the key",
    409,
    "IDEMPOTENCY_MISMATCH",
    "offer.update",
    { offer_id: "parity", name: "Else" },
    { idempotencyKey: "k 1" }
  ),
  run("first page of offers", "offer.list", { limit: 1 }),
  {
    name: "second page of offers",
    step: (earlier) => ({
      command: "offer.list",
      input: { limit: 1, cursor: earlier("first page of offers", "data.next_cursor") }
    }),
    ownInput: true,
    status: 200
  },
  {
    name: "a cursor of another list",
    step: (earlier) => ({
      command: "mission.list",
      input: { limit: 1, cursor: earlier("first page of offers", "data.next_cursor") }
    }),
    ownInput: true,
    status: 400,
    code: "INVALID_CURSOR"
  },
  {
    name: "a cursor of another organization",
    step: (earlier) => ({
      command: "offer.list",
      input: { limit: 1, cursor: earlier("first page of offers", "data.next_cursor") },
      as: "stranger"
    }),
    ownInput: true,
    status: 400,
    code: "INVALID_CURSOR"
  },
  refused("an unknown field", 400, "UNKNOWN_FIELD", "offer.create", { nmae: "x" }),
  refused("the spec's shortest sample", 400, "INVALID_INPUT", "offer.create", { name: "x" }),
  refused("a number in place of a text", 400, "INVALID_INPUT", "offer.get", { offer_id: 7 }),
  refused("input that is no object", 400, "INVALID_JSON", "offer.list", []),
  refused("input that is a text", 400, "INVALID_JSON", "offer.list", "{}"),
  refused("an unknown offer", 404, "NOT_FOUND", "offer.get", { offer_id: "nope" }),
  refused("a stranger's look", 404, "NOT_FOUND", "offer.get", { offer_id: "parity" }, { as: "stranger" }),
  run("compact offers", "offer.list", {}, { compact: true })
]

const offerLife: ReadonlyArray<Scenario> = [
  run("check a stored offer", "offer.check", { offer_id: "parity" }),
  run("check texts", "offer.check", { name: "Seamless", one_liner: "{{what}}", landing_page_url: "https://x.test" }),
  refused("check nothing", 400, "INVALID_INPUT", "offer.check", {}),
  refused("publish what is not complete", 409, "WRONG_STATE", "offer.publish", { offer_id: "sample-idea" }),
  run("publish what is published", "offer.publish", { offer_id: "parity" }),
  refused("delete what a mission proposes", 409, "OFFER_IN_USE", "offer.delete", { offer_id: "sample-offer" }),
  run("dry run of a deletion", "offer.delete", { offer_id: "sample-idea" }, { dryRun: true }),
  run("delete an offer", "offer.delete", { offer_id: "sample-idea" }),
  refused("the deleted offer", 404, "NOT_FOUND", "offer.delete", { offer_id: "sample-idea" })
]

const missionLife: ReadonlyArray<Scenario> = [
  run("activity", "mission.activity", { from: "2026-10-01", to: "2026-12-31" }),
  refused(
    "activity of a stranger's mission",
    404,
    "NOT_FOUND",
    "mission.activity",
    { mission_id: "spring-outreach" },
    {
      as: "stranger"
    }
  ),
  refused("activity of no day", 400, "INVALID_INPUT", "mission.activity", { from: "2026-02-30" }),
  run("statistics", "mission.stats", { mission_id: "spring-outreach", group_by: "week" }),
  run("statistics of a time", "mission.stats", {
    mission_id: "spring-outreach",
    from: "2026-01-01T00:00:00+01:00",
    to: "2026-01-03T00:00:00Z"
  }),
  run("what to do next", "mission.next-actions", { limit: 3 }),
  run("plan follow-ups", "mission.steps.set", {
    mission_id: "spring-outreach",
    steps: [{ after: "no_reply", working_days: 4, channel: "LINKEDIN", purpose: "Ask one question" }]
  }),
  run("read the follow-ups", "mission.steps.get", { mission_id: "spring-outreach" }),
  refused("plan a follow-up for today", 400, "INVALID_INPUT", "mission.steps.set", {
    mission_id: "spring-outreach",
    steps: [{ after: "no_reply", working_days: 0, channel: "LINKEDIN", purpose: "Ask one question" }]
  }),
  run("plan no follow-ups", "mission.steps.set", { mission_id: "spring-outreach", steps: [] }),
  run("pause a mission", "mission.pause", { mission_id: "spring-outreach", reason: "Holiday" }),
  run("resume a mission", "mission.resume", { mission_id: "spring-outreach" }),
  refused("start a draft without an agent", 409, "WRONG_STATE", "mission.resume", { mission_id: "winter-ideas" }),
  run("complete a mission", "mission.complete", { mission_id: "autumn" }),
  refused("resume what is completed", 409, "WRONG_STATE", "mission.resume", { mission_id: "autumn" }),
  refused("delete a mission with leads", 409, "MISSION_IN_USE", "mission.delete", { mission_id: "spring-outreach" }),
  run("delete a mission", "mission.delete", { mission_id: "winter-ideas" })
]

const agents: ReadonlyArray<Scenario> = [
  run("create an agent", "agent.create", { first_name: "Grace", last_name: "Keller", handle: "grace" }),
  refused("a taken handle", 409, "DUPLICATE_HANDLE", "agent.create", {
    first_name: "G",
    last_name: "K",
    handle: "grace"
  }),
  run("read an agent", "agent.get", { agent_handle: "grace" }),
  run("change an agent", "agent.update", { agent_handle: "grace", personality: "Short sentences." }),
  run("list agents", "agent.list", {}),
  run("accounts", "linkedin.account.list", {}),
  refused("an agent in use", 409, "AGENT_IN_USE", "agent.delete", { agent_handle: "ada-martin" }),
  run("delete an agent", "agent.delete", { agent_handle: "grace" }),
  refused("a deleted agent", 404, "NOT_FOUND", "agent.get", { agent_handle: "grace" })
]

const missions: ReadonlyArray<Scenario> = [
  run("create a mission", "mission.create", { name: "Autumn", agent_handle: "ada-martin", offer_id: "parity" }),
  run("read a mission", "mission.get", { mission_id: "autumn" }),
  run("change a mission", "mission.update", { mission_id: "autumn", brief: { target_audience: "CFOs" } }),
  run("list missions", "mission.list", { status: "active" }),
  refused("an unknown mission", 404, "NOT_FOUND", "mission.update", { mission_id: "nope", name: "x" })
]

const leads: ReadonlyArray<Scenario> = [
  run("store a lead", "lead.upsert", { email: "Noor@Example.com ", name: "Noor Haddad", mission_id: "autumn" }),
  run("the same lead by another spelling", "lead.upsert", { email: "noor@example.com", job_title: "CFO" }),
  run("a compact lead", "lead.get", { email: "noor@example.com" }, { compact: true }),
  run("search leads", "lead.search", { query: "noor", limit: 5 }),
  run("say why a lead is kept", "lead.upsert", { email: "noor@example.com", lawful_basis: "consent", source: "Fair" }),
  run("read why a lead is kept", "lead.get", { email: "noor@example.com" }),
  refused("a basis that is none", 400, "INVALID_INPUT", "lead.upsert", {
    email: "a@b.example",
    lawful_basis: "interest"
  }),
  run("define a field", "lead.field.set", { key: "segment", type: "choice", choices: ["Small", "Large"] }),
  run("store its value", "lead.upsert", { email: "noor@example.com", fields: { segment: "large" }, tags: ["VIP"] }),
  refused("a value of a field that is none", 400, "INVALID_INPUT", "lead.upsert", {
    email: "noor@example.com",
    fields: { segmnt: "Large" }
  }),
  run("list fields", "lead.field.list", {}),
  run("save a filter", "lead.filter.save", { name: "Large ones", filter: { fields: { segment: "Large" } } }),
  run("list filters", "lead.filter.list", {}),
  run("search by it", "lead.search", { saved_filter: "large ones", tags: ["vip"] }),
  refused("an unknown filter", 404, "NOT_FOUND", "lead.search", { saved_filter: "none" }),
  refused("a lead without identifier", 400, "IDENTIFIER_REQUIRED", "lead.upsert", { name: "Nobody" }),
  refused("an address that is none", 400, "INVALID_EMAIL", "lead.upsert", { email: "nobody" }),
  refused("a page that is no profile", 400, "NOT_A_PROFILE_URL", "lead.upsert", {
    linkedin_url: "https://www.linkedin.com/company/acme"
  }),
  refused("identifiers of two leads", 409, "IDENTITY_CONFLICT", "lead.upsert", {
    email: "noor@example.com",
    linkedin_url: "https://www.linkedin.com/in/alan-turing"
  }),
  refused("a lead by nobody", 401, "UNAUTHENTICATED", "lead.get", { email: "noor@example.com" }, { as: "nobody" }),
  refused("a lead without the scope", 403, "FORBIDDEN_SCOPE", "lead.get", { email: "a@b.example" }, { as: "reader" })
]

const grace = "ld_SAMPLE00000000000000000001"
const barbara = "ld_SAMPLE00000000000000000005"

const removal = (name: string, email: string, status: number, code?: string): Scenario => ({
  name,
  step: (earlier) => ({
    command: "lead.identifier.remove",
    input: { lead_id: earlier("store a lead", "data.lead_id"), email }
  }),
  status,
  ...(code === undefined ? {} : { code })
})

const lifecycle: ReadonlyArray<Scenario> = [
  run("set a status", "lead.status.set", { lead_id: grace, status: "Interested", reason: "Called" }),
  run("note something", "lead.note.add", { lead_id: grace, text: "Line one\n  line two 👋" }),
  run("record a message", "lead.message.record", {
    lead_id: grace,
    channel: "EMAIL",
    direction: "inbound",
    content: "Thank you",
    date: "2026-01-31T09:30:00Z",
    external_id: "parity-1"
  }),
  resource("svc://inbox"),
  resource("svc://inbox/first"),
  run("first page of a timeline", "lead.timeline", { lead_id: grace, limit: 2 }),
  run("a lead like another", "lead.upsert", { email: "no.or@example.com", name: "Noor Haddad", job_title: "CFO" }),
  run("find duplicates", "lead.duplicates", {}),
  {
    name: "merge them",
    step: (earlier) => ({
      command: "lead.merge",
      input: {
        winner_lead_id: earlier("store a lead", "data.lead_id"),
        loser_lead_ids: [earlier("a lead like another", "data.lead_id")]
      }
    }),
    status: 200
  },
  removal("remove an identifier", "No.Or@example.com ", 200),
  removal("remove it again", "no.or@example.com", 404, "NOT_FOUND"),
  removal("remove the last one", "noor@example.com", 409, "LAST_IDENTIFIER"),
  run("add to a mission", "lead.mission.add", { lead_ids: [grace, "ld_none"], mission_id: "autumn" }),
  run("take out of a mission", "lead.mission.remove", { lead_ids: [grace, barbara], mission_id: "autumn" }),
  run("explain a score", "lead.score.explain", { lead_id: grace, offer_id: "sample-offer" }),
  run("suppress a domain", "lead.suppress", { domain: "@Rival.example", reason: "Competitor" }),
  refused("somebody at that domain", 409, "LEAD_SUPPRESSED", "lead.upsert", { email: "x@a.rival.example", name: "X" }),
  run("check suppressions", "lead.suppression.check", { identifiers: ["x@rival.example", grace, "nonsense"] }),
  resource("svc://suppressions"),
  resource("svc://suppressions/first"),
  run("lift a suppression", "lead.suppression.lift", { domain: "rival.example", reason: "Bought by us" }),
  run("export a person", "lead.export", { lead_id: barbara }),
  refused("erase without confirming", 400, "INVALID_INPUT", "lead.erase", { lead_id: barbara, confirm: grace }),
  run("erase a person", "lead.erase", { lead_id: barbara, confirm: barbara }),
  refused("the erased person again", 409, "LEAD_SUPPRESSED", "lead.upsert", { email: "barbara@example.com" }),
  refused("the erased lead", 404, "NOT_FOUND", "lead.timeline", { lead_id: barbara })
]

const drafts: ReadonlyArray<Scenario> = [
  run("list drafts", "linkedin.draft.list", { status: ["PENDING_REVIEW"] }),
  run("read a draft", "linkedin.draft.get", { draft_id: alan }),
  refused("a second open draft", 409, "DRAFT_OPEN", "linkedin.draft.create", {
    email: "alan@example.com",
    agent_handle: "ada-martin",
    variations: [{ body_text: "Again" }]
  }),
  run("draft several", "linkedin.draft.create-many", {
    drafts: [
      { lead_id: "ld_none", variations: ["For nobody"] },
      { email: "noor@example.com", variations: ["Hello Noor, may I ask one question?"], replace_open: true }
    ]
  }),
  refused("an approval of three texts", 409, "VARIATION_REQUIRED", "linkedin.draft.approve", { draft_id: alan }),
  refused("a changed text", 409, "CONTENT_CHANGED", "linkedin.draft.approve", {
    draft_id: edsger,
    content_hash: "0".repeat(64)
  }),
  refused("a text out of range", 400, "INVALID_INPUT", "linkedin.draft.approve", {
    draft_id: alan,
    variation_index: 7
  }),
  refused("a draft-only key", 403, "APPROVAL_POLICY", "linkedin.draft.approve", { draft_id: alan }, { as: "drafter" }),
  run("check a draft", "linkedin.draft.check", { draft_id: alan }),
  run("list the replies that wait", "review.list", { tab: "replies", reply: "waiting" }),
  run("list what is to review", "review.list", { kind: ["message"], finding: "none", limit: 5 }),
  run("count what is to review", "review.counts", { mission_id: "spring-outreach" }),
  run("read an item to review", "review.get", { item_id: alan }),
  run("open an item to review", "review.open", { item_id: alan }),
  run("say why an item waits", "review.explain", { about: alan }),
  run("list reviewers", "review.people", {}),
  refused("an item that is not there", 404, "NOT_FOUND", "review.get", { item_id: "drf_none" }),
  run("check a text", "linkedin.draft.check", { body_text: "Hi Bob, save 80%!", mission_id: "spring-outreach" }),
  run("approve several", "linkedin.draft.approve-many", {
    items: [
      { draft_id: "drf_none" },
      { draft_id: edsger, variation_index: 0, not_before: "2020-01-01T09:00:00Z" },
      { draft_id: alan, variation_index: 0 }
    ]
  }),
  run("change a draft", "linkedin.draft.update", { draft_id: katherine, variations: [{ body_text: "Better" }] }),
  run("say what a claim rests on", "linkedin.draft.update", {
    draft_id: katherine,
    evidence: [{ claim: "Better", references: ["lead.name", "offer.references[9]"] }],
    model: "writer-4"
  }),
  run("check its evidence", "linkedin.draft.check", { draft_id: katherine }),
  run("read its evidence", "linkedin.draft.get", { draft_id: katherine }),
  refused("evidence for nothing", 400, "INVALID_INPUT", "linkedin.draft.update", {
    draft_id: katherine,
    evidence: [{ claim: "Worse", references: ["lead.name"] }]
  }),
  refused("a fact that cannot be", 400, "INVALID_INPUT", "linkedin.draft.update", {
    draft_id: katherine,
    evidence: [{ claim: "Better", references: ["lead.shoes"] }]
  }),
  run("require a disclosure", "policy.set", { disclosure: "Written by an AI assistant." }),
  refused("a text without it", 409, "DISCLOSURE_REQUIRED", "linkedin.draft.approve", { draft_id: katherine }),
  run("require none", "policy.set", { disclosure: null }),
  run("require a lawful basis", "policy.set", { lawful_basis: "required", retention_days: { consent: 730 } }),
  run("keep leads without one", "policy.set", { lawful_basis: null, retention_days: null }),
  refused("keep leads for a week", 400, "INVALID_INPUT", "policy.set", { retention_days: { none: 7 } }),
  run("dry run of a sending", "linkedin.draft.approve", { draft_id: edsger, send_now: true }, { dryRun: true }),
  run("approve", "linkedin.draft.approve", { draft_id: alan, variation_index: 1 }),
  run("flag a draft", "linkedin.draft.flag", { draft_id: alan, flagged: true, note: "Is the price right?" }),
  run("approve it for another time", "linkedin.draft.approve", {
    draft_id: alan,
    variation_index: 1,
    not_before: "next_morning"
  }),
  run("what waits for a time", "linkedin.queue.list", {}),
  refused("a time, but now", 400, "INVALID_INPUT", "linkedin.draft.approve", {
    draft_id: alan,
    variation_index: 1,
    not_before: "next_morning",
    send_now: true
  }),
  refused("snooze what was approved", 409, "WRONG_STATE", "linkedin.draft.snooze", { draft_id: alan, until: null }),
  run("undo the approval", "linkedin.draft.reopen", { draft_id: alan }),
  run("end a snooze", "linkedin.draft.snooze", { draft_id: alan, until: null }),
  run("ask for a rewrite", "linkedin.draft.request-rewrite", { draft_id: alan, instructions: "Shorter" }),
  refused("reject a changed text", 409, "CONTENT_CHANGED", "linkedin.draft.reject", {
    draft_id: alan,
    reason: "Too long",
    content_hash: "0".repeat(64)
  }),
  run("reject a draft", "linkedin.draft.reject", { draft_id: alan, reason: "Too long" }),
  run("undo the rejection", "linkedin.draft.reopen", { draft_id: alan }),
  run("approve again", "linkedin.draft.approve", { draft_id: alan, variation_index: 1 }),
  run("send now", "linkedin.draft.approve", { draft_id: edsger, send_now: true }, { idempotencyKey: "send" }),
  run(
    "replay of a sending",
    "linkedin.draft.approve",
    { draft_id: edsger, send_now: true },
    { idempotencyKey: "send" }
  ),
  run("send to somebody not connected", "linkedin.draft.approve", { draft_id: katherine, send_now: true }),
  run("what works", "mission.stats", { mission_id: "spring-outreach" }),
  refused("cancel what was sent", 409, "DRAFT_FINAL", "linkedin.draft.cancel", { draft_id: edsger }),
  run("cancel what was approved", "linkedin.draft.cancel", { draft_id: alan, reason: "On leave" }),
  run("somebody who blocks", "lead.upsert", person("zoe-blocked")),
  run("a draft to who blocks, by an assistant", "linkedin.draft.create", draftTo("zoe-blocked"), { as: "assistant" }),
  {
    name: "the provider refuses",
    step: (earlier) => ({
      command: "linkedin.draft.approve",
      input: { draft_id: earlier("a draft to who blocks, by an assistant", "data.draft.draft_id"), send_now: true }
    }),
    status: 502,
    code: "GATEWAY_REJECTED"
  },
  run("somebody who never answers", "lead.upsert", person("kim-unknown")),
  run("a draft to who never answers", "linkedin.draft.create", draftTo("kim-unknown")),
  {
    name: "nobody knows whether it was sent",
    step: (earlier) => ({
      command: "linkedin.draft.approve",
      input: { draft_id: earlier("a draft to who never answers", "data.draft.draft_id"), send_now: true }
    }),
    status: 409,
    code: "SEND_OUTCOME_UNKNOWN"
  }
]

const account_id = "acc_SAMPLE00000000000000000001"
const queued = "que_SAMPLE00000000000000000001"
const unknown = "que_SAMPLE00000000000000000002"

const queue: ReadonlyArray<Scenario> = [
  run("list the queue", "linkedin.queue.list", {}),
  run("list what nobody knows", "linkedin.queue.list", { state: ["ambiguous"], account_id }, { compact: true }),
  resource("svc://linkedin/queue"),
  run("read usage", "linkedin.usage.get", {}),
  run("forecast the queue", "linkedin.queue.forecast", {}),
  refused("usage of no account", 404, "NOT_FOUND", "linkedin.usage.get", { account_id: "acc_none" }),
  run("set limits", "linkedin.usage.set-limits", { account_id, limits: { message_day: 10_000 } }),
  refused("a limit below nothing", 400, "INVALID_INPUT", "linkedin.usage.set-limits", {
    account_id,
    limits: { message_day: -1 }
  }),
  resource("svc://linkedin/usage"),
  run("take out of the queue", "linkedin.queue.cancel", { queue_id: queued }),
  refused("take it out again", 409, "WRONG_STATE", "linkedin.queue.cancel", { queue_id: queued }),
  refused("take out what may be sent", 409, "SEND_OUTCOME_UNKNOWN", "linkedin.queue.cancel", { queue_id: unknown }),
  refused(
    "settle without the scope",
    403,
    "FORBIDDEN_SCOPE",
    "linkedin.queue.resolve",
    { queue_id: unknown, outcome: "sent" },
    { as: "reader" }
  ),
  refused("a stranger's message", 404, "NOT_FOUND", "linkedin.queue.cancel", { queue_id: queued }, { as: "stranger" }),
  run("settle it", "linkedin.queue.resolve", {
    queue_id: unknown,
    outcome: "sent",
    external_message_id: "urn:li:msg:1"
  }),
  refused("settle it again", 409, "WRONG_STATE", "linkedin.queue.resolve", { queue_id: unknown, outcome: "not_sent" })
]

const invitation_id = "inv_SAMPLE00000000000000000001"
const afar = { lead_id: "ld_SAMPLE00000000000000000003", agent_handle: "ada-martin" }

const invitations: ReadonlyArray<Scenario> = [
  run("invite somebody who is invited", "linkedin.invitation.send", afar),
  run("invitations that are open", "linkedin.queue.list", { state: ["pending"], kind: "invitation" }),
  run("invite a relation", "linkedin.invitation.send", { lead_id: grace, agent_handle: "ada-martin", note: "Hello" }),
  refused("invite nobody", 404, "NOT_FOUND", "linkedin.invitation.send", { lead_id: "ld_none" }),
  refused("a note that is too long", 400, "INVALID_INPUT", "linkedin.invitation.send", {
    ...afar,
    note: "x".repeat(301)
  }),
  refused("invite without the scope", 403, "FORBIDDEN_SCOPE", "linkedin.invitation.send", afar, { as: "reader" }),
  refused(
    "take back a stranger's",
    404,
    "NOT_FOUND",
    "linkedin.invitation.withdraw",
    { invitation_id },
    { as: "stranger" }
  ),
  run("what taking back would do", "linkedin.invitation.withdraw", { invitation_id }, { dryRun: true }),
  run("take an invitation back", "linkedin.invitation.withdraw", { invitation_id }),
  refused("take back nothing in particular", 400, "INVALID_INPUT", "linkedin.invitation.withdraw", {}),
  refused("take it back again", 409, "WRONG_STATE", "linkedin.invitation.withdraw", { invitation_id }),
  refused("invite again too soon", 409, "WRONG_STATE", "linkedin.invitation.send", afar)
]

const nobody = { lead_id: "ld_none" }
const ada = { agent_handle: "ada-martin" }

const inbox: ReadonlyArray<Scenario> = [
  run("read a conversation from LinkedIn", "linkedin.conversation.sync", { lead_id: grace }),
  run("with the agent's handle", "linkedin.conversation.sync", { lead_id: grace, ...ada }, { dryRun: true }),
  refused("a conversation with nobody", 404, "NOT_FOUND", "linkedin.conversation.sync", nobody),
  refused("a reader syncs", 403, "FORBIDDEN_SCOPE", "linkedin.conversation.sync", { lead_id: grace }, { as: "reader" }),
  run("read a conversation", "linkedin.conversation.get", { lead_id: grace, limit: 5 }),
  run("read it shortly", "linkedin.conversation.get", { lead_id: grace }, { compact: true }),
  run("end the snooze of a conversation", "linkedin.conversation.snooze", { lead_id: grace, until: null }),
  refused("snooze no conversation", 404, "NOT_FOUND", "linkedin.conversation.snooze", { ...nobody, until: null }),
  run("ask for a draft", "linkedin.conversation.request-draft", {
    lead_id: grace,
    mission_id: "spring-outreach",
    instructions: "Thank her."
  }),
  run("see what is asked for", "lead.get", { lead_id: grace }),
  run("ask for none", "linkedin.conversation.request-draft", { lead_id: grace, instructions: null }),
  refused("ask for a draft to nobody", 404, "NOT_FOUND", "linkedin.conversation.request-draft", {
    ...nobody,
    instructions: "Thank her."
  }),
  refused("read no conversation", 404, "NOT_FOUND", "linkedin.conversation.get", nobody),
  run("link what is linked", "linkedin.account.link", { ...ada, gateway: "simulator" }),
  refused("link at another gateway", 400, "INVALID_INPUT", "linkedin.account.link", { ...ada, gateway: "unipile" }),
  refused("link nobody's", 404, "NOT_FOUND", "linkedin.account.link", { agent_handle: "nobody" }),
  run("take the account away", "linkedin.account.unlink", ada),
  refused("take it away again", 409, "NO_LINKEDIN_ACCOUNT", "linkedin.account.unlink", ada),
  refused("sync without an account", 409, "NO_LINKEDIN_ACCOUNT", "linkedin.conversation.sync", { lead_id: grace }),
  run("link another account", "linkedin.account.link", { ...ada, gateway_account_id: "sim-other" }),
  refused("link a third", 409, "WRONG_STATE", "linkedin.account.link", { ...ada, gateway_account_id: "sim-third" })
]

const letter = (count: number) => `eml_SAMPLE0000000000000000000${count}`
const review_id = letter(1)
const content_hash = "b347717b2169494c94341415462b1cb5f264e371c577f5ef0c6d5a94e23011e9"
const note = {
  lead_id: "ld_SAMPLE00000000000000000001",
  mission_id: "autumn-letters",
  subject: "Parity",
  body_text: "Hello Grace"
}

const mailbox = { email: "ada@example.com" }

const emails: ReadonlyArray<Scenario> = [
  run("write an e-mail", "email.send", note),
  refused("an e-mail to nobody", 404, "NOT_FOUND", "email.send", { ...note, lead_id: "ld_none" }),
  refused("an e-mail with a header in its subject", 400, "INVALID_INPUT", "email.send", {
    ...note,
    subject: "Hello\r\nBcc: eve@example.com"
  }),
  refused("an e-mail by a reader", 403, "FORBIDDEN_SCOPE", "email.send", note, { as: "reader" }),
  run("list reviews", "email.review.list", { mission_id: "autumn-letters" }),
  resource("svc://email/reviews"),
  resource("svc://email/reviews/first"),
  refused("decide on other words", 409, "CONTENT_CHANGED", "email.review.decide", {
    review_id,
    decision: "approve",
    content_hash: "0".repeat(64)
  }),
  refused(
    "a stranger decides",
    404,
    "NOT_FOUND",
    "email.review.decide",
    { review_id, decision: "approve", content_hash },
    { as: "stranger" }
  ),
  refused("approve for a past time", 400, "INVALID_INPUT", "email.review.decide", {
    review_id,
    decision: "approve",
    content_hash,
    not_before: "2020-01-01T09:00:00Z"
  }),
  run("change and approve", "email.review.decide", { review_id, decision: "edit", content_hash, subject: "Better" }),
  refused("decide again", 409, "WRONG_STATE", "email.review.decide", { review_id, decision: "approve", content_hash }),
  run("take back an e-mail", "email.cancel", { email_id: letter(2), reason: "Not now" }),
  refused("take back what may be sent", 409, "WRONG_STATE", "email.cancel", { email_id: letter(3) }),
  run("settle an e-mail", "email.resolve", { email_id: letter(3), outcome: "not_sent" }),
  run("list e-mails", "email.list", { state: ["failed", "cancelled"] }),
  run("try an inbox", "email.mailbox.connect-inbox", { ...mailbox, host: "imap.example.com" }, { dryRun: true }),
  refused("connect an inbox of nobody", 404, "NOT_FOUND", "email.mailbox.connect-inbox", { email: "x@example.com" }),
  run("limit a mailbox", "email.mailbox.set-limits", { ...mailbox, day: 40, hour: 10 }),
  run("stop reading", "email.mailbox.disconnect-inbox", mailbox),
  run("list mailboxes", "email.mailbox.list", {}),
  refused("check a domain of nobody", 404, "NOT_FOUND", "email.mailbox.check", { email: "x@example.com" }),
  refused("the secret by a reader", 403, "FORBIDDEN_SCOPE", "email.inbound.get", {}, { as: "reader" }),
  run("read e-mails", "email.conversation.get", { lead_id: note.lead_id })
]

const rest: ReadonlyArray<Scenario> = [
  run("explain a search", "import.sales-nav.parse", { url: exampleSearch }),
  refused("an account search", 400, "NOT_A_PEOPLE_SEARCH", "import.sales-nav.parse", {
    url: "https://www.linkedin.com/sales/search/company?query=(keywords%3Ax)"
  }),
  run("import a search", "import.sales-nav.search", { url: exampleSearch, mission_handle: "autumn", limit: 3 }),
  run("import it again", "import.sales-nav.search", { url: exampleSearch, mission_handle: "autumn", limit: 3 }),
  run("import a search of filters", "import.sales-nav.filters", {
    filters: { CURRENT_TITLE: ["CFO"], "seniority level": ["director"] },
    keywords: "sim-3 parity",
    mission_handle: "autumn"
  }),
  refused("import by no filter at all", 400, "INVALID_INPUT", "import.sales-nav.filters", { mission_handle: "autumn" }),
  run("import a search of LinkedIn itself", "import.linkedin.search", {
    url: "https://www.linkedin.com/search/results/people/?keywords=sim-3",
    mission_handle: "autumn"
  }),
  {
    name: "read an import",
    step: (earlier) => ({
      command: "import.get",
      input: { import_id: earlier("import a search", "data.import_id") }
    }),
    status: 200
  },
  run("list imports", "import.list", { mission_id: "autumn" }),
  run("import a file", "import.csv", {
    mission_id: "autumn",
    content: "Email,First name,Company\nrosa@example.com,Rosa,Northwind\nnobody,,\n",
    source: "Fair",
    lawful_basis: "legitimate_interests"
  }),
  run(
    "post leads, as a preview",
    "import.leads.add",
    { mission_id: "autumn", leads: [{ email: "posted@example.com" }] },
    { dryRun: true }
  ),
  refused("post leads that nobody can use", 400, "INVALID_INPUT", "import.leads.add", {
    mission_id: "autumn",
    leads: [{ name: "Nobody" }]
  }),
  refused("import a file without rows", 400, "INVALID_INPUT", "import.csv", { mission_id: "autumn", content: "" }),
  {
    name: "list what came of the file",
    step: (earlier) => ({
      command: "import.leads.list",
      input: { import_id: earlier("import a file", "data.import_id") }
    }),
    status: 200
  },
  {
    name: "pause an import that is complete",
    step: (earlier) => ({ command: "import.pause", input: { import_id: earlier("import a file", "data.import_id") } }),
    status: 200
  },
  {
    name: "cancel an import that is complete",
    step: (earlier) => ({ command: "import.cancel", input: { import_id: earlier("import a file", "data.import_id") } }),
    status: 200
  },
  {
    name: "resume an import that is complete",
    step: (earlier) => ({ command: "import.resume", input: { import_id: earlier("import a file", "data.import_id") } }),
    status: 200
  },
  {
    name: "withRollback undoing an import",
    step: (earlier) => ({
      command: "import.undo",
      input: { import_id: earlier("import a file", "data.import_id") },
      dryRun: true
    }),
    status: 200
  },
  {
    name: "undo an import",
    step: (earlier) => ({ command: "import.undo", input: { import_id: earlier("import a file", "data.import_id") } }),
    status: 200
  },
  refused("resume an import that is not there", 404, "NOT_FOUND", "import.resume", { import_id: "imp_nothing" }),
  run("archive a mission", "mission.update", { mission_id: "autumn", status: "archived" }),
  refused("import into an archived mission", 409, "MISSION_ARCHIVED", "import.sales-nav.search", {
    url: exampleSearch.replace("fintech", "archive"),
    mission_handle: "autumn"
  }),
  run("workspace status", "workspace.status", {}),
  refused("an unknown command", 404, "UNKNOWN_COMMAND", "offer.creat", {}),
  refused("a command that REST once had", 404, "UNKNOWN_COMMAND", "rest.offers.list", {}),
  resource("svc://status"),
  resource("svc://linkedin/drafts/pending"),
  resource(`svc://linkedin/drafts/${edsger}`),
  resource("svc://offers/parity", { compact: true }),
  resource("svc://errors", { as: "reader" }),
  { name: "a prospect that is not there", step: { resource: "svc://prospects/nope" }, status: 404, code: "NOT_FOUND" },
  { name: "a resource that is none", step: { resource: "svc://nope" }, status: 404, code: "UNKNOWN_RESOURCE" },
  {
    name: "a resource without the scope",
    step: { resource: "svc://missions", as: "reader" },
    status: 403,
    code: "FORBIDDEN_SCOPE"
  }
]

const webhook_id = "whk_SAMPLE00000000000000000001"
const waiting = "apr_SAMPLE00000000000000000001"

const workspace: ReadonlyArray<Scenario> = [
  refused("the head of the audit without the scope", 403, "FORBIDDEN_SCOPE", "audit.head", {}, { as: "reader" }),
  run("audit of a command that changes nothing", "audit.list", { command_id: "offer.list" }),
  run("runs of agents, of which there is none", "agent-run.list", { key_id: "aaaaaaaaaaaa" }),
  run("undo a run of a key that did nothing", "agent-run.undo", {
    key_id: "aaaaaaaaaaaa",
    since: "2026-01-01T00:00:00Z",
    until: "2026-01-02T00:00:00Z"
  }),
  refused(
    "undo a run without the scope",
    403,
    "FORBIDDEN_SCOPE",
    "agent-run.undo",
    {
      key_id: "aaaaaaaaaaaa",
      since: "2026-01-01T00:00:00Z"
    },
    { as: "reader" }
  ),
  run("events of a type that never happened", "event.list", { types: "webhook.disabled", limit: 5 }),
  refused("audit without the scope", 403, "FORBIDDEN_SCOPE", "audit.list", {}, { as: "reader" }),
  run("make a key", "key.create", { name: "Parity", scopes: ["offers:read"], expires_at: "2099-01-01T00:00:00Z" }),
  run("make a key under a key", "key.create", { name: "Once" }, { idempotencyKey: "k 2" }),
  run("the key again, without its text", "key.create", { name: "Once" }, { idempotencyKey: "k 2" }),
  refused(
    "a person's key for an assistant",
    403,
    "FORBIDDEN_SCOPE",
    "key.create",
    { name: "x", actor_kind: "USER" },
    { as: "assistant" }
  ),
  refused("keys without the scope", 403, "FORBIDDEN_SCOPE", "key.list", {}, { as: "reader" }),
  run("rotate a key", "key.rotate", { key_id: "samplerotate" }),
  run("revoke a key", "key.revoke", { key_id: "samplerevoke" }),
  refused("a stranger's key", 404, "NOT_FOUND", "key.revoke", { key_id: "samplerotate" }, { as: "stranger" }),
  refused("rotate a revoked key", 409, "WRONG_STATE", "key.rotate", { key_id: "samplerevoke" }),
  run("a sign-in link", "session.link.create", { key_id: "samplerotate" }),
  refused("a sign-in link for an assistant", 403, "APPROVAL_POLICY", "session.link.create", {}, { as: "assistant" }),
  refused(
    "a sign-in link to a stranger's key",
    404,
    "NOT_FOUND",
    "session.link.create",
    { key_id: "samplerotate" },
    { as: "stranger" }
  ),
  refused("a sign-in link for a revoked key", 409, "WRONG_STATE", "session.link.create", { key_id: "samplerevoke" }),
  run("make a webhook", "webhook.create", { url: "https://hooks.example.com/parity", event_types: ["lead.created"] }),
  refused("a webhook into a private network", 400, "INVALID_INPUT", "webhook.create", { url: "http://10.0.0.1/" }),
  run("list webhooks", "webhook.list", {}),
  run("read a webhook", "webhook.get", { webhook_id }),
  run("change a webhook", "webhook.update", { webhook_id, description: "Changed" }),
  run("rotate a secret", "webhook.rotate-secret", { webhook_id, overlap_seconds: 0 }),
  run("test a webhook", "webhook.test", { webhook_id }),
  run("redeliver", "webhook.redeliver", { delivery_id: "whd_SAMPLE00000000000000000001" }),
  run("deliveries", "webhook.deliveries", { webhook_id, state: "pending" }),
  run("delete a webhook", "webhook.delete", { webhook_id: "whk_SAMPLE00000000000000000002" }),
  refused("a deleted webhook", 404, "NOT_FOUND", "webhook.get", { webhook_id: "whk_SAMPLE00000000000000000002" }),
  run("policies", "policy.get", {}),
  run("set a policy", "policy.set", { key_id: "samplerotate", approval: "ask" }),
  refused("a policy set by a program", 403, "APPROVAL_POLICY", "policy.set", { mutate: "allow" }, { as: "assistant" }),
  run("what waits", "approval.list", {}),
  run("what would be run", "approval.get", { approval_request_id: waiting }),
  run("ask a client about what another key asked for", "approval.ask-client", {
    approval_request_id: waiting,
    modes: ["form"]
  }),
  refused("an answer that was not signed", 400, "INVALID_INPUT", "approval.answer", {
    state: "e30.x",
    action: "accept"
  }),
  run("approve what waits", "approval.resolve", { approval_request_id: waiting, decision: "approve" }),
  refused("decide it again", 409, "WRONG_STATE", "approval.resolve", {
    approval_request_id: waiting,
    decision: "reject"
  })
]

/** All scenarios. */
export const scenarios: ReadonlyArray<Scenario> = [
  ...offers,
  ...agents,
  ...missions,
  ...leads,
  ...lifecycle,
  ...drafts,
  ...queue,
  ...invitations,
  ...inbox,
  ...emails,
  ...offerLife,
  ...missionLife,
  ...rest,
  ...workspace
]
