/**
 * Steps of a person and an AI agent over the whole catalogue, made from the published schemas, with what makes them meet: few
 * people with several identifiers each, and references to what earlier steps made.
 */

import { commands } from "#core/commands.ts"
import { describeWithSchemas } from "#core/kernel/command/Catalog.ts"
import type { AnyCommand } from "#core/kernel/command/Command.ts"
import { isoFromMillis } from "#core/kernel/schema/IdsAndTime.ts"
import { type Random, randomOf } from "../support/random.ts"
import { isNode, propertiesOf, type SchemaNode } from "../support/schemaArbitrary.ts"

/** Stands for the `nth` name of a kind that earlier steps made, counted in a circle. */
export interface Reference {
  readonly kind: string
  readonly nth: number
}

/** A command, or a round of a worker, and how many seconds after the step before. */
export interface Step {
  readonly by: "person" | "agent"
  readonly what: string
  readonly input: unknown
  readonly seconds: number
  readonly options?: {
    readonly dryRun?: boolean
    readonly idempotencyKey?: string
    readonly responseProfile?: "compact"
  }
}

/** When rounds begin: a Monday morning. */
export const start = Date.parse("2026-11-16T09:00:00.000Z")

/** What the worker of a process does, and what a provider tells. */
export const rounds = [
  "dispatch",
  "dispatch emails",
  "settle",
  "poll",
  "deliver",
  "expire",
  "forget",
  "connect",
  "receive"
] as const

/** Commands that are no part of it: they take a state that was signed for a key, or differ by what is random. */
const left = new Set(["approval.ask-client", "approval.answer", "session.link.create"])

/** How often a command is chosen; by its risk unless it is named here. */
const weights: Readonly<Record<string, number>> = {
  dispatch: 14,
  "dispatch emails": 5,
  settle: 3,
  poll: 4,
  deliver: 3,
  expire: 2,
  forget: 2,
  connect: 4,
  receive: 4,
  "lead.upsert": 26,
  "lead.merge": 4,
  "lead.status.set": 7,
  "lead.message.record": 8,
  "linkedin.conversation.snooze": 6,
  "linkedin.conversation.request-draft": 5,
  "lead.mission.add": 6,
  "lead.note.add": 2,
  "lead.erase": 0.7,
  "linkedin.draft.create": 18,
  "linkedin.draft.create-many": 4,
  "linkedin.draft.approve": 18,
  "linkedin.draft.approve-many": 4,
  "linkedin.invitation.send": 5,
  "email.send": 8,
  "email.review.decide": 6,
  "import.csv": 3,
  "import.leads.add": 3,
  "import.undo": 2,
  "approval.resolve": 5,
  "mission.delete": 0.5,
  "agent.delete": 0.4,
  "policy.set": 0.6,
  "key.revoke": 0.3,
  "email.review.list": 4,
  "linkedin.queue.list": 2
}
const usual = { read: 0.5, mutate: 1.2, approval: 1.2 } as const

type Make = (random: Random, at: number) => unknown

const people = [
  "adam",
  "bea",
  "carl-2nd",
  "dana-2nd",
  "emil-blocked",
  "fay-down",
  "gus-unknown",
  "hana",
  "ines-2nd",
  "jo"
]
const domains = ["example.com", "acme.example"]
const names = ["Ada Lovelace", "adam", "Élodie Été", "Zoë ", "İpek", "Straße", "_Under", "Ada Lovelace", "ÅSA"]
const texts = [
  "Hello {{first_name}}",
  "I read your post.",
  "44 % more in 2025",
  "Straße, ÉCOLE",
  "a  b",
  "İ <b>x</b>",
  "Acme grows"
]
const handles = { mission: ["spring", "autumn", "winter"], agent: ["ada", "bob"], offer: ["offer-one", "offer-two"] }
const statuses = "New Waiting Contacted Replied MeetingBooked Interested NotInterested DoNotContact DoNotContact".split(
  " "
)

const refer = (kind: string, { next }: Random): Reference => ({ kind, nth: next(3) === 0 ? next(1_000) : next(4) })
const named =
  (kind: string): Make =>
  (random) =>
    refer(kind, random)
const oneOf =
  (...values: ReadonlyArray<unknown>): Make =>
  ({ pick }) =>
    pick(values)
const either =
  (...makes: ReadonlyArray<Make>): Make =>
  (random, at) =>
    random.pick(makes)(random, at)
const slugOf = (person: number) => people[person % people.length]
const emailOf = (person: number, { next }: Random) => {
  const email = `${slugOf(person)}@${domains[person % domains.length]}`
  return next(5) === 0 ? email.toUpperCase() : email
}
const urlOf = (person: number) => `https://www.linkedin.com/in/${slugOf(person)}`
const memberOf = (person: number) => `urn:li:member:${1_000 + person}`
const anyPerson: Make = ({ next }) => next(people.length)
const ofPerson =
  (make: (person: number, random: Random) => unknown): Make =>
  (random, at) =>
    make(Number(anyPerson(random, at)), random)
const past: Make = ({ next }, at) => isoFromMillis(at - next(4 * 24 * 60) * 60_000)
const future: Make = ({ next }, at) => isoFromMillis(at + (1 + next(3 * 24 * 60)) * 60_000)
const mission = either(
  oneOf("spring", "autumn"),
  oneOf("spring", "autumn"),
  oneOf("spring", "winter"),
  named("mission_id")
)
const many =
  (make: Make, most: number): Make =>
  (random, at) =>
    Array.from({ length: 1 + random.next(most) }, () => make(random, at))
const search = (n: number) =>
  `https://www.linkedin.com/sales/search/people?query=(keywords%3Asim-${n}%2Cfilters%3AList((type%3ASENIORITY_LEVEL%2C` +
  "values%3AList((id%3A310%2Ctext%3ACXO%2CselectionType%3AINCLUDED)))))"

/** Values by the name of a field, or by command and field. */
const fields: Readonly<Record<string, Make>> = {
  lead_id: named("lead_id"),
  draft_id: named("draft_id"),
  queue_id: named("queue_id"),
  invitation_id: named("queue_id"),
  email_id: named("email_id"),
  review_id: named("email_id"),
  import_id: named("import_id"),
  account_id: named("account_id"),
  webhook_id: named("webhook_id"),
  delivery_id: named("delivery_id"),
  approval_request_id: named("approval_request_id"),
  content_hash: named("content_hash"),
  key_id: either(oneOf("personaaaaaa", "agentaaaaaaa"), named("key_id")),
  item_id: either(...["draft_id", "email_id", "approval_request_id", "queue_id"].map(named)),
  mission_id: mission,
  agent_handle: oneOf(...handles.agent, ...handles.agent, "nobody"),
  offer_id: oneOf(...handles.offer, "offer-three"),
  winner_lead_id: named("lead_id"),
  loser_lead_ids: many(named("lead_id"), 2),
  lead_ids: many(named("lead_id"), 3),
  email: ofPerson(emailOf),
  linkedin_url: ofPerson(urlOf),
  linkedin_id: ofPerson(memberOf),
  custom_id: ofPerson((person) => `crm-${person}`),
  sales_nav_id: oneOf("ACwAAABCDEFGHIJKLMNOPQRSTUVWXYZ0123456,NAME_SEARCH,abcd"),
  domain: oneOf(...domains),
  identifiers: many(either(ofPerson(emailOf), ofPerson(urlOf), oneOf(...domains)), 3),
  name: oneOf(...names),
  first_name: oneOf("Ada", "adam", "Élodie", ""),
  status: oneOf(...statuses),
  score: oneOf(0, 12.5, 40, 99.9, 100),
  min_score: oneOf(0, 40),
  score_min: oneOf(0, 40),
  limit: oneOf(1, 2, 3, 20),
  query: oneOf("ad", "ÉLODIE", "straße", "i", "acme"),
  company: oneOf("Acme", "acme gmbh", "Globex", ""),
  job_title: oneOf("CFO", "Chief Financial Officer", ""),
  headline: oneOf("Finance at Acme", ""),
  title: oneOf("Finance"),
  timezone: oneOf("Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"),
  language: oneOf("en", "fr-FR", "de"),
  variations: many(oneOf(...texts), 3),
  body_text: oneOf(...texts),
  subject: oneOf("Hello", "About Acme"),
  from_email: oneOf("ada@sender.example", "bob@sender.example"),
  to_email: ofPerson(emailOf),
  email_accounts: oneOf(
    [{ provider: "SMTP", email: "ada@sender.example" }],
    [{ provider: "GOOGLE", email: "bob@sender.example" }],
    []
  ),
  working_hours: oneOf(
    { monday: [{ start: "09:00", end: "12:00" }], tuesday: [{ start: "00:00", end: "24:00" }], useLeadTimezone: true },
    {
      monday: [{ start: "22:00", end: "24:00" }],
      wednesday: [{ start: "08:30", end: "10:00" }],
      holidays: ["2026-11-17"]
    }
  ),
  external_id: oneOf("msg-1", "msg-2", "msg-3"),
  external_message_id: oneOf("urn:x:1", "urn:x:2"),
  model: oneOf("writer-1", "writer-2"),
  url: oneOf("https://hooks.example.com/ok", "https://hooks.example.com/bad", "https://hooks.example.com/gone"),
  user_id: oneOf("usr_person", "usr_agent"),
  timestamp: past,
  date: past,
  since: past,
  after: past,
  created_after: past,
  updated_after: past,
  from: past,
  before: future,
  until: future,
  not_before: (random, at) => (random.next(2) === 0 ? "next_morning" : future(random, at)),
  to: future,
  expires_at: future,
  group_by: oneOf("day", "week"),
  expiry_days: oneOf(1, 2, null),
  approvers: oneOf([{ user_id: "usr_person" }], null),
  agents: oneOf("allow", "ask", null),
  approval: oneOf("allow", "ask", null),
  mutate: oneOf("allow", null),
  disclosure: oneOf("Written with AI.", null),
  evidence: oneOf([{ claim: "44 % more", references: ["lead.company"] }], []),
  skills: oneOf(["excel"], ["a", "b"], []),
  recent_posts: oneOf([{ content: "A post about Acme", date: "2026-11-01", likes: 3 }], []),
  limits: oneOf({ message_day: 1 }, { message_day: 3, invitation_day: 1 }, { message_day: null }),
  overlap_seconds: oneOf(0, 60),
  email_review_strategy: oneOf("AUTO", "MANUAL", "WEBHOOK", "AUTO"),
  email_review_webhook_url: oneOf("https://hooks.example.com/review", null),
  "policy.set evidence": oneOf("any", null),
  "policy.set lawful_basis": oneOf("required", null),
  retention_days: oneOf({ none: 30 }, { none: 60, consent: 30 }, null),
  "lead.search status": many(oneOf(...statuses), 3),
  "mission.list status": oneOf("active", "archived"),
  "mission.update status": oneOf("active", "archived"),
  "mission.create status": oneOf("ACTIVE", "DRAFT"),
  "mission.activity from": oneOf("2026-11-16", "2026-11-17"),
  "mission.activity to": oneOf("2026-11-18", "2026-11-20"),
  "mission.create handle": oneOf(...handles.mission),
  "agent.create handle": oneOf(...handles.agent),
  "event.list after": oneOf(0, 10, 100),
  "event.list types": oneOf("lead.created,lead.updated", "draft.approved"),
  "audit.list command_id": oneOf("lead.upsert", "linkedin.draft.approve"),
  "audit.list outcome": oneOf("ok", "NOT_FOUND"),
  "key.create scopes": oneOf(["leads:read"], ["linkedin:draft", "leads:write"]),
  "linkedin.account.link gateway": oneOf("simulator"),
  "linkedin.account.link gateway_account_id": oneOf("sim-one", "sim-two"),
  "linkedin.draft.flag note": oneOf("Look at this"),
  "lead.message.record content": oneOf(
    "Sounds good, let's talk",
    "Stop",
    "Please unsubscribe me.",
    "Who are you?",
    "No thanks"
  ),
  "import.csv content": (random, at) => {
    const rows = Array.from({ length: 1 + random.next(4) }, () => {
      const person = Number(anyPerson(random, at))
      return `${random.pick(names)},${emailOf(person, random)},${random.next(2) === 0 ? urlOf(person) : ""},${random.pick(["Acme", ""])}`
    })
    return `Name,Email,LinkedIn URL,Company\n${rows.join("\n")}\n`
  },
  "import.csv name": oneOf("List one", "List two"),
  "import.leads.add leads": many(
    (random, at) => ({
      email: fields["email"]?.(random, at),
      name: random.pick(names),
      linkedinUrl: fields["linkedin_url"]?.(random, at)
    }),
    3
  ),
  "import.sales-nav.search url": oneOf(search(2), search(3)),
  "import.sales-nav.parse url": oneOf(search(2)),
  "import.linkedin.search url": oneOf("https://www.linkedin.com/search/results/people/?keywords=sim-3"),
  "import.sales-nav.filters filters": oneOf({ SENIORITY_LEVEL: ["310"] }, {}),
  "import.sales-nav.filters keywords": oneOf("sim-2")
}

/** Fields of an alias, of a page, or of a choice that changes nothing here. */
const leftFields = new Set(
  "prospect_id agent_id mission_handle offer_name cursor mapping encoding delimiter start_page wait_seconds content_hash profile_url brief exclude call".split(
    " "
  )
)
/** Fields by which a lead is named: one of them, where a command takes any. */
const leadNames = ["lead_id", "email", "custom_id", "linkedin_url", "linkedin_id", "sales_nav_id"]

const typesOf = (schema: SchemaNode): ReadonlyArray<string> => [schema["type"]].flat().map(String)

const valueOf = (command: string, name: string, schema: SchemaNode, random: Random, at: number): unknown => {
  const known = fields[`${command} ${name}`] ?? fields[name]
  if (known !== undefined) return known(random, at)
  const values = schema["enum"]
  if (Array.isArray(values)) return random.pick(values)
  const members = schema["anyOf"]
  if (Array.isArray(members)) return valueOf(command, name, members.find(isNode) ?? {}, random, at)
  const type = random.pick(typesOf(schema))
  if (type === "null") return null
  if (type === "boolean") return random.next(2) === 0
  if (type === "integer" || type === "number") return random.next(3)
  if (type === "object") return objectOf(command, schema, random, at)
  if (type === "array") {
    const items = schema["items"]
    return isNode(items) ? many(() => valueOf(command, name, items, random, at), 2)(random, at) : []
  }
  if (schema["format"] === "date-time") return past(random, at)
  if (String(schema["pattern"]).includes("ttps?") || String(schema["pattern"]).includes("[Tt][Tt][Pp]"))
    return "https://example.com/a"
  return random.pick(texts)
}

/** What is required, and some of the rest; a lead is named in one way. */
function objectOf(command: string, schema: SchemaNode, random: Random, at: number): SchemaNode {
  const required = [schema["required"] ?? []].flat().map(String)
  const known = propertiesOf(schema)
  const ways = leadNames.filter((name) => known.some(([one]) => one === name) && !required.includes(name))
  const way = ways.length > 1 ? random.pick(ways) : undefined
  return Object.fromEntries(
    known
      .filter(([name]) => {
        if (required.includes(name) || name === way) return true
        if (leftFields.has(name) || (way !== undefined && ways.includes(name))) return false
        return random.next(4) === 0
      })
      .map(([name, node]) => [name, valueOf(command, name, node, random, at)])
  )
}

/** What the schema alone does not say, laid over an input that it allows. */
const special: Readonly<Record<string, (random: Random, input: SchemaNode, at: number) => SchemaNode>> = {
  "lead.upsert": (random, input, at) => {
    const person = Number(anyPerson(random, at))
    // Now and then an identifier is another person's.
    const of = () => (random.next(9) === 0 ? person + 1 : person)
    const own = {
      email: emailOf(of(), random),
      linkedin_url: urlOf(of()),
      custom_id: `crm-${of()}`,
      linkedin_id: memberOf(of())
    }
    const chosen = Object.entries(own).filter(() => random.next(3) > 0)
    const { lead_id, status, title, ...rest } = input
    const kept = Object.entries(rest).filter(([name]) => !leadNames.includes(name))
    const isUpdate = random.next(6) === 0 ? { lead_id: lead_id ?? refer("lead_id", random) } : {}
    const isStated = status !== undefined && random.next(2) === 0 ? { status } : {}
    return { email: own.email, ...Object.fromEntries([...kept, ...chosen]), ...isUpdate, ...isStated }
  },
  "lead.erase": (_, input) => ({ ...input, confirm: input["lead_id"] }),
  "linkedin.draft.create": (random, input) => {
    const others = Object.entries(input).filter(([name]) => !leadNames.includes(name))
    const to = random.next(4) === 0 ? input : { ...Object.fromEntries(others), lead_id: refer("lead_id", random) }
    const isOfMission = random.next(2) === 0 ? { mission_id: random.pick(["spring", "autumn"]) } : {}
    return { agent_handle: random.pick(handles.agent), ...to, ...isOfMission }
  },
  "linkedin.draft.update": (random, input) =>
    random.next(3) === 0 ? input : { variations: [random.pick(texts)], ...input },
  "linkedin.draft.approve": (random, { body_text, invitation_note, send_invitation, send_now, ...input }) => {
    const text = random.next(8) === 0 ? { body_text } : { variation_index: 0 }
    const sending = { send_now: true, send_invitation: random.next(2) === 0 }
    return { ...input, ...text, ...(random.next(3) === 0 ? sending : {}) }
  },
  "offer.create": (random, input) => ({
    ...input,
    name: random.pick(names),
    one_liner: "One line",
    value_proposition: "Worth it",
    offer_id: random.pick(handles.offer)
  }),
  "import.csv": (_, input) => ({ mission_id: "spring", ...input }),
  "import.sales-nav.search": (_, input) => ({ mission_id: "spring", ...input }),
  "import.sales-nav.filters": (_, input) => ({ mission_id: "autumn", filters: {}, ...input, keywords: "sim-2" }),
  "import.linkedin.search": (_, input) => ({ mission_id: "autumn", ...input }),
  "lead.suppress": (random, { domain, ...input }) =>
    random.next(8) === 0 ? { reason: "Asked", domain: random.pick(domains) } : input,
  "lead.suppression.lift": (random, { domain, ...input }) => {
    if (random.next(6) === 0) return { reason: "Again", domain: random.pick(domains) }
    return random.next(3) === 0 ? input : { reason: "Again", lead_id: refer("lead_id", random) }
  },
  "email.review.decide": (random, input) => {
    const nth = random.next(8)
    return { ...input, review_id: { kind: "hashed_id", nth }, content_hash: { kind: "hashed", nth } }
  },
  "linkedin.invitation.send": (random, input) => ({ agent_handle: random.pick(handles.agent), ...input }),
  "lead.merge": (random, input) => {
    const nth = random.next(8)
    const [winner_lead_id, loser] = [nth, nth + 1 + random.next(3)].map((one) => ({ kind: "lead_id", nth: one }))
    return { ...input, winner_lead_id, loser_lead_ids: [loser] }
  },
  "email.send": (_, { from_email, ...input }) => input,
  "agent-run.undo": (_, input) => ({ ...input, key_id: "agentaaaaaaa" }),
  "linkedin.invitation.withdraw": (random, { invitation_id, agent_handle, ...input }) =>
    random.next(2) === 0
      ? { lead_id: refer("lead_id", random) }
      : { ...input, lead_id: undefined, invitation_id: refer("queue_id", random) }
}

const schemas = new Map<string, SchemaNode>(
  commands.map((command: AnyCommand) => [command.id, describeWithSchemas(command).input_schema])
)

const choices = [
  ...rounds.map((name) => ({ name, weight: weights[name] ?? 1 })),
  ...commands
    .filter(({ id }) => !left.has(id))
    .map(({ id, risk }: AnyCommand) => ({ name: id, weight: weights[id] ?? usual[risk] }))
]
/** In each round some commands are chosen much more often, so that they meet. */
const focus = { every: 8, times: 8 }

const chooser = ({ next }: Random): (() => string) => {
  const weighed = choices.map(({ name, weight }) => ({
    name,
    weight: next(focus.every) === 0 ? weight * focus.times : weight
  }))
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0)
  return () => {
    let rest = (next(1_000_000) / 1_000_000) * total
    for (const { name, weight } of weighed) {
      rest -= weight
      if (rest < 0) return name
    }
    return "dispatch"
  }
}

const pauses = [0, 0, 0, 0, 1, 1, 5, 12, 20, 60, 600, 3_600, 3 * 3_600, 9 * 3_600]
/** One in so many pauses is a long one, after which requests have expired and nobody accepts an invitation any more. */
const longPause = { every: 60, seconds: 8 * 24 * 3_600 }

const optionsOf = ({ next, pick }: Random): Pick<Step, "options"> => {
  const kind = next(30)
  if (kind === 0) return { options: { dryRun: true } }
  if (kind === 1) return { options: { responseProfile: "compact" } }
  return kind === 2 ? { options: { idempotencyKey: pick(["key-1", "key-2"]) } } : {}
}

/** The first steps of every round: senders, missions, an offer and a few people. */
export const firstSteps = (): ReadonlyArray<Step> => {
  const step = (what: string, input: unknown): Step => ({ by: "person", what, input, seconds: 1 })
  return [
    ...handles.agent.map((handle) =>
      step("agent.create", {
        first_name: handle,
        last_name: "X",
        handle,
        email_accounts: [{ provider: "SMTP", email: `${handle}@sender.example` }]
      })
    ),
    step("offer.create", { offer_id: "offer-one", name: "Offer", one_liner: "One", value_proposition: "Worth it" }),
    step("mission.create", { name: "Spring", handle: "spring", agent_handle: "ada", offer_id: "offer-one" }),
    step("mission.create", { name: "Autumn", handle: "autumn", agent_handle: "bob", email_review_strategy: "MANUAL" }),
    ...[0, 1, 2, 3].map((person) =>
      step("lead.upsert", {
        linkedin_url: urlOf(person),
        email: `${slugOf(person)}@example.com`,
        name: slugOf(person),
        mission_id: "spring"
      })
    ),
    ...[0, 1].map((nth) =>
      step("linkedin.draft.create", { lead_id: { kind: "lead_id", nth }, agent_handle: "ada", variations: ["Hello"] })
    ),
    step("webhook.create", { url: "https://hooks.example.com/ok" }),
    step("linkedin.account.list", {})
  ]
}

/** A step that does this, at a time. */
export const stepOf = (random: Random, what: string, at: number): Pick<Step, "what" | "input"> => {
  const schema = schemas.get(what)
  const made =
    schema === undefined
      ? { person: anyPerson(random, at), text: random.pick(texts) }
      : objectOf(what, schema, random, at)
  return { what, input: special[what]?.(random, made, at) ?? made }
}

/** The commands that steps may be. */
export const stepCommands: ReadonlyArray<string> = choices.map(({ name }) => name)

/** The steps of a round, always the same for a seed. */
export const stepsOf = (seed: number, count: number): ReadonlyArray<Step> => {
  const random = randomOf(seed)
  const choose = chooser(random)
  const steps = [...firstSteps()]
  let at = start
  while (steps.length < count) {
    const what = choose()
    const seconds = random.next(longPause.every) === 0 ? longPause.seconds : random.pick(pauses)
    at += seconds * 1_000
    const by = random.next(3) === 0 && what !== "approval.resolve" ? "agent" : "person"
    const step = stepOf(random, what, at)
    steps.push({ by, ...step, seconds, ...(schemas.has(what) ? optionsOf(random) : {}) })
  }
  return steps
}

/** The people of a step of a provider. */
export const profileOf = (person: unknown): string => urlOf(Number(person))
