/** One person in all tables of a workspace, every text of which has a mark of its own. */
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { dispatchEmails } from "#core/email/sending/emails.ts"
import { noPolicies } from "#core/kernel/command/Permission.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { WebhookSender } from "#core/webhooks/delivery/deliver.ts"
import { createDeliveries, deliverOrLog, leaseDue } from "#core/webhooks/delivery/deliveryRounds.ts"
import { CurrentOrganization } from "../support/inOrganization.ts"
import type { SchemaNode } from "../support/schemaArbitrary.ts"
import { actor, ask } from "../support/World.ts"
import { makePlanter, markedPlaces } from "./plantedTexts.ts"

/** Receivers that send back what they got, as a broken one may. */
const echo = WebhookSender.of({
  post: ({ body }) => Effect.succeed({ _tag: "Answered", status: 500, retryAfterSeconds: null, snippet: body })
})

/** Delivers events to receivers that refuse them. */
export const deliver = (organizationId: string) =>
  Effect.gen(function* () {
    yield* createDeliveries(organizationId)
    const due = yield* leaseDue(200, organizationId)
    yield* Effect.forEach(due, deliverOrLog, { discard: true })
  }).pipe(Effect.provideService(WebhookSender, echo))

interface Call {
  readonly command: string
  readonly input: SchemaNode
  readonly key: string
  readonly by: "person" | "agent" | "host"
}

/** Runs commands under keys, and keeps what they were for running them again. */
export const caller = Effect.gen(function* () {
  const organizationId = yield* CurrentOrganization
  const { inputOf, mark, planted } = makePlanter()
  const calls: Array<Call> = []
  const accepted = new Set<string>()
  const refusals: Array<string> = []
  const actors = {
    host: actor(organizationId, { policies: noPolicies }),
    person: actor(organizationId, { keyId: "personaaaaaa", policies: noPolicies }),
    agent: actor(organizationId, {
      kind: "AI_AGENT",
      keyId: "agentaaaaaaa",
      policies: { ...noPolicies, key: { approval: "ask", mutate: "ask" } }
    })
  }
  const again = ({ by, command, input, key }: Call) =>
    Effect.map(ask(command, input, { actor: actors[by], options: { idempotencyKey: key } }), ({ envelope }) => envelope)
  const run = Effect.fnUntraced(function* (
    command: string,
    base: SchemaNode,
    {
      by = "person",
      isOthers = false,
      without = []
    }: Partial<Pick<Call, "by">> & { readonly isOthers?: boolean; readonly without?: ReadonlyArray<string> } = {}
  ) {
    const call = { command, input: inputOf(command, base, without, isOthers), key: `key-${calls.length}`, by }
    calls.push(call)
    const envelope = yield* again(call)
    if (envelope.ok) for (const place of markedPlaces(call.input, `${command} `)) accepted.add(place)
    else
      refusals.push(
        `${command}: ${envelope.error.code} ${envelope.error.message} ${JSON.stringify(call.input).slice(0, 300)}`
      )
    // biome-ignore lint/suspicious/noExplicitAny: outputs of many commands
    return { ...Object(envelope.ok ? envelope.data : {}), approval: envelope.meta.approval_request_id } as any
  })
  return { run, again, calls, planted, mark, inputOf, accepted, refusals, organizationId }
})

const identifiers = ["email", "linkedin_url", "linkedin_id", "sales_nav_id", "custom_id"]

const search = (text: string) =>
  "https://www.linkedin.com/sales/search/people?query=(keywords%3Asim-2%2Cfilters%3AList((type%3ASENIORITY_LEVEL%2C" +
  `values%3AList((id%3A310%2Ctext%3A${text}%2CselectionType%3AINCLUDED)))))`

/** A person as endpoints spell it. */
const camel = (input: SchemaNode): SchemaNode =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase()),
      value
    ])
  )

type Run = Effect.Success<typeof caller>["run"]

/** Plants marks in everything that can be about one person, and about others; returns the person's lead. */
export const scenario = (
  run: Run,
  { inputOf, mark }: Pick<ReturnType<typeof makePlanter>, "inputOf" | "mark">,
  organizationId: string
) =>
  Effect.gen(function* () {
    const send = Effect.gen(function* () {
      yield* TestClock.adjust("1 minute")
      yield* dispatchDue({ organizationId })
      yield* dispatchEmails({ organizationId })
      yield* deliver(organizationId)
    })
    const mailbox = { provider: "SMTP", email: "ada@sender.example" }
    yield* run("agent.create", { handle: "ada", email_accounts: [mailbox] })
    yield* run("agent.create", {
      handle: "bob",
      email_accounts: [{ provider: "SMTP", email: `${mark("agent.create email_accounts[].email")}@sender.example` }]
    })
    yield* run("agent.update", { agent_handle: "bob" }, { without: ["email_accounts"] })
    yield* run("offer.create", { offer_id: "offer" })
    yield* run("offer.update", { offer_id: "offer" })
    for (const [handle, email_review_strategy] of [
      ["spring", "MANUAL"],
      ["hooked", "WEBHOOK"]
    ] as const) {
      yield* run("mission.create", {
        handle,
        agent_handle: "ada",
        offer_id: "offer",
        email_review_strategy
      })
      yield* run("mission.update", { mission_id: handle })
      yield* run("mission.pause", { mission_id: handle })
      yield* run("mission.resume", { mission_id: handle })
    }
    yield* run("mission.create", { handle: "done", status: "ACTIVE" })
    yield* run("mission.complete", { mission_id: "done" })
    const hook = yield* run("webhook.create", {})
    yield* run("webhook.update", { webhook_id: hook.webhook?.id ?? hook.webhook?.webhook_id })
    yield* run(
      "lead.upsert",
      { email: "bystander@other.example", mission_id: "spring" },
      { without: identifiers, isOthers: true }
    )
    yield* run("lead.field.set", { key: "kind", type: "choice" })
    yield* run("lead.field.set", { key: "about", type: "text", label: "About" }, { without: ["choices"] })
    yield* run("lead.filter.save", {})
    const known = {
      email: `${mark("lead.upsert email")}@people.example`,
      linkedin_url: `https://www.linkedin.com/in/${mark("lead.upsert linkedin_url")}`
    }
    const about = () => ({ about: `Text ${mark("lead.upsert fields")}` })
    const { lead_id } = yield* run(
      "lead.upsert",
      { mission_id: "spring", ...known, fields: about() },
      { without: ["sales_nav_id"] }
    )
    yield* run("lead.upsert", { lead_id }, { without: identifiers })
    yield* run(
      "lead.upsert",
      { lead_id, sales_nav_id: inputOf("lead.upsert", {}).sales_nav_id },
      { without: identifiers }
    )
    const loser = yield* run("lead.upsert", { fields: about() }, { without: ["sales_nav_id", "linkedin_id"] })
    yield* run("lead.note.add", { lead_id: loser.lead_id })
    yield* run("linkedin.invitation.send", { lead_id: loser.lead_id, agent_handle: "ada" })
    const unknown = yield* run(
      "lead.upsert",
      { linkedin_url: `https://www.linkedin.com/in/${mark("lead.upsert linkedin_url")}-unknown` },
      { without: ["sales_nav_id", "linkedin_id"] }
    )
    const lost = yield* run("linkedin.draft.create", { lead_id: unknown.lead_id, agent_handle: "ada" })
    yield* run("linkedin.draft.approve", { draft_id: lost.draft?.draft_id }, { without: ["invitation_note"] })
    yield* send
    const { envelope } = yield* ask("linkedin.queue.list", {})
    const queue_id = Object(envelope).data?.items?.find(
      ({ state }: { state: string }) => state === "ambiguous"
    )?.queue_id
    yield* run("linkedin.queue.resolve", { queue_id, outcome: "sent" })
    yield* run("lead.merge", { winner_lead_id: lead_id, loser_lead_ids: [unknown.lead_id] })
    yield* run("lead.merge", { winner_lead_id: lead_id, loser_lead_ids: [loser.lead_id] })
    yield* run("lead.status.set", { lead_id, status: "Interested" })
    yield* run("lead.message.record", { lead_id, channel: "EMAIL", direction: "inbound" })
    yield* run("lead.message.record", { lead_id, channel: "LINKEDIN", direction: "outbound" })
    yield* run("linkedin.conversation.request-draft", { lead_id, mission_id: "spring" })
    const draft = Effect.map(
      run("linkedin.draft.create", { lead_id, agent_handle: "ada", mission_id: "spring" }),
      (made) => made.draft?.draft_id
    )
    const first = yield* draft
    yield* run("linkedin.draft.update", { draft_id: first })
    yield* run("linkedin.draft.flag", { draft_id: first, flagged: true })
    yield* run("linkedin.draft.request-rewrite", { draft_id: first })
    yield* run("linkedin.draft.reject", { draft_id: first })
    yield* run("linkedin.draft.cancel", { draft_id: yield* draft })
    yield* run("linkedin.draft.approve", { draft_id: yield* draft, send_now: true, send_invitation: true })
    yield* send
    const many = yield* run("linkedin.draft.create-many", {
      drafts: [{ ...Object(inputOf("linkedin.draft.create-many", {}).drafts)[0], lead_id, agent_handle: "ada" }]
    })
    yield* run("linkedin.draft.approve-many", {
      items: [
        {
          draft_id: /drf_\w+/.exec(JSON.stringify(many))?.[0],
          body_text: `Text ${mark("linkedin.draft.approve-many items[].body_text")}`
        }
      ]
    })
    yield* run("linkedin.draft.create", { lead_id, agent_handle: "bob" })
    const mail = { lead_id, mission_id: "spring" }
    for (const decision of ["edit", "reject"]) {
      yield* run("email.send", { ...mail, to_email: known.email })
      const { envelope } = yield* ask("email.review.list", {})
      const { content_hash, review_id } = Object(envelope).data?.reviews?.[0] ?? {}
      if (review_id === undefined) console.log(JSON.stringify(envelope).slice(0, 500))
      yield* run(
        "email.review.decide",
        { review_id, decision, content_hash },
        { without: decision === "edit" ? ["reason"] : ["subject", "body_text"] }
      )
    }
    const { email } = yield* run("email.send", mail)
    yield* run("email.cancel", { email_id: email?.email_id })
    yield* run("email.send", { lead_id, mission_id: "hooked" })
    yield* send
    const person = inputOf("lead.upsert", known, identifiers)
    const row = (email: string, profile: string, isOthers = false) =>
      [1, 2, 3]
        .map(() => `Text ${mark("import.csv content", isOthers)}`)
        .concat(email, profile)
        .join(",")
    const content = [
      "Name,Company,Headline,Email,LinkedIn URL",
      row(known.email, ""),
      row("not an address", known.linkedin_url),
      row("stranger@other.example", "", true),
      row("not an address either", "", true)
    ].join("\n")
    yield* run("import.csv", { mission_id: "spring", content })
    yield* run("import.leads.add", {
      mission_id: "spring",
      leads: [camel(person), { ...camel(person), email: "not an address" }]
    })
    yield* run("import.sales-nav.search", { mission_id: "spring", url: search(mark("import.sales-nav.search url")) })
    const url = `https://www.linkedin.com/search/results/people/?keywords=sim-3&title=${mark("import.linkedin.search url")}`
    yield* run("import.linkedin.search", { mission_id: "spring", url })
    yield* run("import.sales-nav.filters", { mission_id: "spring", filters: {} }, {})
    for (const decision of [undefined, "reject", "approve"]) {
      for (const [command, base] of [
        ["lead.note.add", { lead_id }],
        ["lead.upsert", { lead_id }],
        ["email.send", mail],
        [
          "import.csv",
          {
            mission_id: "spring",
            encoding: "base64",
            content: Buffer.from(`\ufeff${content}`, "utf16le").toString("base64")
          }
        ],
        ["lead.suppress", { lead_id }]
      ] as const) {
        const { approval } = yield* run(command, base, {
          by: "agent",
          without: command === "lead.suppress" ? ["email", "domain", "linkedin_url"] : identifiers
        })
        // A decision about a file is not about one of the people in it.
        const isOthers = command === "import.csv"
        if (decision !== undefined)
          yield* run("approval.resolve", { approval_request_id: approval, decision }, { isOthers })
      }
    }
    yield* run("policy.set", {})
    // Of the two keys nothing is stored, so they hand out none.
    yield* run("key.create", {}, { by: "host" })
    for (const base of [
      { domain: `${mark("lead.suppress domain")}.example` },
      { email: known.email },
      { linkedin_url: known.linkedin_url },
      { lead_id }
    ]) {
      for (const command of ["lead.suppress", "lead.suppression.lift", "lead.suppress"]) {
        yield* run(command, base, { without: ["email", "domain", "linkedin_url"], isOthers: "domain" in base })
      }
    }
    yield* deliver(organizationId)
    return String(lead_id)
  })
