/**
 * An organization with two of everything, and every name by which its things can be asked for.
 *
 * Chosen names hold a mark (`qqxqqa`, `qqxqqb`, `qqxqqc`), so that the answers to two organizations can be compared with the marks taken
 * out: see {@link unmarked}.
 */
import { assert } from "@effect/vitest"
import { type MemoryService, ownerOf } from "./memoryService.ts"
import { isNode } from "./schemaArbitrary.ts"

/** Who a tenant is and how to ask for what it has. Handles and ids that name the same thing stand side by side. */
export interface Tenant {
  readonly mark: string
  readonly organizationId: string
  readonly offer: ReadonlyArray<string>
  readonly agent: ReadonlyArray<string>
  readonly mission: ReadonlyArray<string>
  readonly lead: ReadonlyArray<string>
  readonly draft: ReadonlyArray<string>
  readonly import: ReadonlyArray<string>
  readonly account: ReadonlyArray<string>
  readonly contentHash: ReadonlyArray<string>
  readonly queue: ReadonlyArray<string>
  readonly invitation: ReadonlyArray<string>
  /** E-mails under review. */
  readonly letter: ReadonlyArray<string>
  /** A lead beside the first one. */
  readonly otherLead: ReadonlyArray<string>
  readonly approval: ReadonlyArray<string>
  readonly key: ReadonlyArray<string>
  readonly webhook: ReadonlyArray<string>
  readonly delivery: ReadonlyArray<string>
  /** What identifies its first lead. */
  readonly email: string
  readonly customId: string
  readonly profileUrl: string
  readonly member: string
  readonly salesNavLead: string
  /** The e-mail account of its first agent. */
  readonly mailbox: string
}

const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>(
    (node, step) => (Array.isArray(node) ? node[Number(step)] : isNode(node) ? node[step] : undefined),
    value
  )

/** Names with `mark` that nobody has given to anything. */
const chosen = (mark: string) => ({
  email: `${mark}@lead.example`,
  customId: `crm-${mark}`,
  profileUrl: `https://www.linkedin.com/in/${mark}-person-2nd`,
  mailbox: `${mark}@agent.example`
})

/** Fills an organization. */
export const fillTenant = async ({ run }: MemoryService, organizationId: string, mark: string): Promise<Tenant> => {
  const make = async (command: string, input: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const { envelope } = await run({ command, input, actor: ownerOf(organizationId) })
    assert.isTrue(envelope.ok, `${command} answered ${JSON.stringify(envelope)}`)
    return envelope.ok ? envelope.data : undefined
  }
  const { customId, email, mailbox, profileUrl } = chosen(mark)
  const [letter = "x"] = mark.slice(-1)
  const member = `ACoAAA${"AB"}${letter.toUpperCase()}${"c".repeat(30)}`
  const salesNavLead = `ACwAAA${"AB"}${letter.toUpperCase()}${"d".repeat(30)},NAME_SEARCH,abcd`
  const texts = { name: "An offer", one_liner: "One line", value_proposition: "Worth it" }
  for (const offer_id of [`${mark}-offer`, `${mark}-offer-2`]) await make("offer.create", { ...texts, offer_id })
  for (const handle of [`${mark}-agent`, `${mark}-agent-2`]) {
    const email_accounts = handle.endsWith("2") ? [] : [{ provider: "GOOGLE", email: mailbox }]
    await make("agent.create", { first_name: "An", last_name: "Agent", handle, email_accounts })
  }
  const missions: Array<unknown> = []
  for (const handle of [`${mark}-mission`, `${mark}-mission-2`]) {
    const links = { agent_handle: `${mark}-agent`, offer_id: `${mark}-offer` }
    missions.push(await make("mission.create", { name: "A mission", handle, ...links }))
  }
  const mission_id = `${mark}-mission`
  const known = { email, custom_id: customId, linkedin_url: profileUrl }
  const lead = await make("lead.upsert", { ...known, mission_id, name: "A Person", company: "A Company", tags: [mark] })
  await make("lead.field.set", { key: `${mark}_field`, type: "choice", choices: ["Small"] })
  await make("lead.filter.save", { name: `${mark}-filter`, filter: { tags: [mark] } })
  await make("lead.upsert", { lead_id: at(lead, "lead_id"), linkedin_id: member })
  await make("lead.upsert", { lead_id: at(lead, "lead_id"), sales_nav_id: salesNavLead })
  const imports: Array<unknown> = []
  for (const email of [`${mark}-posted@lead.example`, `${mark}-posted-2@lead.example`]) {
    const linkedin_url = `https://www.linkedin.com/in/${email.split("@")[0]}`
    const leads = [
      { email, linkedin_url, name: "A Posted" },
      { email: `beside-${email}`, name: "Another Posted" }
    ]
    imports.push(await make("import.leads.add", { mission_id, leads }))
  }
  const drafts: Array<unknown> = []
  for (const to of [{ lead_id: at(lead, "lead_id") }, { email: `${mark}-posted@lead.example` }]) {
    const input = { ...to, mission_id, agent_handle: `${mark}-agent`, variations: [{ body_text: "Hello" }] }
    drafts.push(await make("linkedin.draft.create", input))
  }
  for (const end of ["3", "4"]) {
    const { lead_id } = Object(
      await make("lead.upsert", { name: "A Queued", email: `${mark}-queued-${end}@lead.example` })
    )
    const input = { lead_id, agent_handle: `${mark}-agent`, variations: [{ body_text: "Hello" }] }
    const draft_id = at(await make("linkedin.draft.create", input), "draft", "draft_id")
    await make("linkedin.draft.approve", { draft_id })
  }
  const queue = await make("linkedin.queue.list", {})
  const inviting = { lead_id: at(lead, "lead_id"), agent_handle: `${mark}-agent` }
  const invitation = await make("linkedin.invitation.send", inviting)
  const handle = `${mark}-letters`
  const manual = { name: "Letters", handle, agent_handle: `${mark}-agent`, email_review_strategy: "MANUAL" }
  await make("mission.create", manual)
  const letters: Array<string> = []
  for (const subject of ["First", "Second"]) {
    const letter = { lead_id: at(lead, "lead_id"), mission_id: handle, subject, body_text: "Hello" }
    letters.push(String(at(await make("email.send", letter), "email", "email_id")))
  }
  const message = { lead_id: at(lead, "lead_id"), channel: "EMAIL", direction: "outbound", content: "Hello" }
  await make("lead.message.record", { ...message, external_id: `${mark}-message` })
  await make("lead.message.record", { ...message, external_id: `${mark}-message-2` })
  for (const date of ["2026-01-01T09:00:00Z", "2026-01-02T09:00:00Z"]) {
    await make("lead.message.record", { ...message, channel: "LINKEDIN", date })
  }
  const approvals: Array<string> = []
  for (const name of ["First", "Second"]) {
    const policies = { key: {}, organization: { approval: "ask" } } as const
    const actor = { ...ownerOf(organizationId), policies }
    const command = "import.csv"
    const { envelope } = await run({ command, input: { mission_id, content: `Name\n${name}`, name }, actor })
    approvals.push(envelope.meta.approval_request_id)
  }
  const key = await make("key.create", { name: "A key", scopes: ["offers:read"] })
  const person = await make("key.create", { name: "A person" })
  const link = await make("session.link.create", { key_id: at(person, "key", "key_id") })
  const webhooks: Array<unknown> = []
  for (const end of ["1", "2"])
    webhooks.push(await make("webhook.create", { url: `https://hooks.example.com/${mark}${end}` }))
  const webhook = String(at(webhooks, 0, "webhook", "id") ?? at(webhooks, 0, "webhook", "webhook_id"))
  const deliveries = [
    await make("webhook.test", { webhook_id: webhook }),
    await make("webhook.test", { webhook_id: webhook })
  ]
  const draftId = String(at(drafts, 0, "draft", "draft_id"))
  const shown = await make("resource.draft", { id: draftId })
  const accounts = await make("linkedin.account.list", {})
  const agentId = String(at(drafts, 0, "draft", "agent", "agent_id"))
  return {
    mark,
    organizationId,
    offer: [`${mark}-offer`],
    agent: [`${mark}-agent`, agentId],
    mission: [mission_id, String(at(missions, 0, "mission", "id"))],
    lead: [String(at(lead, "lead_id"))],
    draft: [draftId],
    import: [String(at(imports, 0, "import", "import_id"))],
    account: [String(at(accounts, "accounts", 0, "account_id"))],
    queue: [String(at(queue, "items", 0, "queue_id"))],
    invitation: [String(at(invitation, "invitation_id"))],
    letter: letters.slice(0, 1),
    contentHash: [String(at(shown, "content_hash") ?? at(shown, "draft", "content_hash"))],
    otherLead: [String(at(drafts, 1, "draft", "lead", "lead_id"))],
    approval: approvals.slice(0, 1),
    key: [String(at(key, "key", "key_id")), String(at(link, "key_id"))],
    webhook: [webhook],
    delivery: [
      String(
        at(deliveries, 0, "delivery", "id") ??
          at(deliveries, 0, "delivery", "delivery_id") ??
          at(deliveries, 0, "delivery_id")
      )
    ],
    email,
    customId,
    profileUrl,
    member,
    salesNavLead,
    mailbox
  }
}

/** A name of the same form that nobody has. */
export const unknownName = (name: string): string => {
  const renamed = name.replaceAll(/qq[abc]/g, "qqz")
  if (renamed !== name) return renamed
  // 2 and 3 are in every alphabet that ids are written in. Not the last character: in a member token it may be padding, and in a lead of Sales Navigator it is no name.
  const place = name.indexOf(",") === -1 ? name.length - 1 : name.indexOf(",") - 1
  return `${name.slice(0, place)}${name.charAt(place) === "2" ? "3" : "2"}${name.slice(place + 1)}`
}

/** A text without what differs between two answers that mean the same: marks, made ids, instants, digests, and `name`. */
export const unmarked = (text: string, name: string): string =>
  text
    .replaceAll(name, "<name>")
    .replaceAll(encodeURIComponent(name), "<name>")
    // Ids first: one may hold a mark by chance.
    .replaceAll(/\b([a-z]{2,3})_[0-9A-Z]{26}\b/g, "$1_<id>")
    .replaceAll(/qqxqq[abcz]/gi, "<mark>")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<instant>")
    .replaceAll(/\b[0-9a-f]{64}\b/g, "<digest>")
    .replaceAll(/req_[0-9a-f-]{36}/g, "<request>")
