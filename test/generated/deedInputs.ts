/** A tenant in which everything can happen that rules are about, and every input to try there. */
import { assert } from "@effect/vitest"
import { describeWithSchemas } from "#core/kernel/command/Catalog.ts"
import type { AnyCommand } from "#core/kernel/command/Command.ts"
import type { ActorIdentity } from "#core/kernel/command/Execution.ts"
import { textAt } from "../support/httpService.ts"
import { type MemoryService, ownerOf } from "../support/memoryService.ts"
import { propertiesOf, type SchemaNode } from "../support/schemaArbitrary.ts"
import { fillTenant, type Tenant } from "../support/tenant.ts"
import { inputFor } from "./tenancyNames.ts"

/** What a tenant needs beside the usual for something to happen. */
export interface World extends Tenant {
  readonly extra: Readonly<Record<string, ReadonlyArray<SchemaNode>>>
}

/** The address of a person who is suppressed. */
export const suppressedEmail = "stop@lead.example"

/** Fills an organization. */
export const fill = async (service: MemoryService, organizationId: string): Promise<World> => {
  const tenant = await fillTenant(service, organizationId, "qqxqqa")
  const owner = ownerOf(organizationId)
  const ask = async (command: string, input: object, actor = owner) => {
    const { envelope } = await service.run({ command, input, actor })
    assert.isTrue(envelope.ok, `${command}: ${JSON.stringify(envelope)}`)
    return { data: envelope.ok ? envelope.data : undefined, request: envelope.meta.approval_request_id }
  }
  const make = async (command: string, input: object, path: string, actor = owner): Promise<string> =>
    textAt((await ask(command, input, actor)).data, path)
  const agent_handle = tenant.agent[0]
  const mission_id = tenant.mission[0]
  const [lead_id] = tenant.lead
  const [other] = tenant.otherLead
  const profile = { name: "A Stranger", linkedin_url: "https://www.linkedin.com/in/qqxqqa-new-2nd" }
  const stranger = await make("lead.upsert", profile, "lead_id")
  const text = { agent_handle, variations: [{ body_text: "Shall we?" }] }
  const invited = await make("linkedin.draft.create", { ...text, lead_id: stranger }, "draft.draft_id")
  const known = await make("linkedin.draft.list", { lead_id: other }, "drafts.0.draft_id")
  const nobody = { name: "Nobody", email: suppressedEmail, custom_id: "qqxqqa-nobody" }
  const suppressed = await make("lead.upsert", nobody, "lead_id")
  const lift = { lead_id: suppressed, reason: "They asked us to." }
  await ask("lead.suppress", { lead_id: suppressed, reason: "They asked us to." })
  const review = {
    review_id: tenant.letter[0],
    content_hash: await make("email.list", { state: ["in_review"] }, "emails.1.content_hash")
  }
  const merge = { winner_lead_id: lead_id, loser_lead_ids: [other] }
  const letter = { lead_id, mission_id, subject: "Hello", body_text: "Hello" }
  const key = "aaaaaaaaaaaa"
  const agent: ActorIdentity = { ...owner, userId: "usr_agent", kind: "AI_AGENT", keyId: key }
  await ask("lead.upsert", { name: "An Added", email: "added@lead.example" }, agent)
  const asking: ActorIdentity = { ...agent, policies: { key: { approval: "ask", mutate: "ask" }, organization: {} } }
  const held: Array<SchemaNode> = []
  for (const [command, input] of [
    ["lead.merge", merge],
    ["lead.suppress", { lead_id: stranger, reason: "They asked us to." }],
    ["lead.suppression.lift", lift],
    ["linkedin.draft.approve", { draft_id: invited }],
    ["linkedin.invitation.send", { lead_id: stranger, agent_handle }],
    ["email.send", letter],
    ["mission.update", { mission_id: "qqxqqa-letters", email_review_strategy: "AUTO" }],
    ["agent.update", { agent_handle, smart_deliverability: false }]
  ] as const) {
    held.push({ approval_request_id: (await ask(command, input, asking)).request, decision: "approve" })
  }
  return {
    ...tenant,
    extra: {
      "agent.update": [{ agent_handle }],
      "agent-run.undo": [{ key_id: key, since: "2000-01-01T00:00:00Z" }],
      "approval.resolve": held,
      "email.review.decide": [review],
      "email.send": [letter],
      "import.leads.add": [{ mission_id, leads: [{ email: "new@lead.example", status: "DoNotContact" }] }],
      "lead.erase": [{ lead_id: suppressed, confirm: suppressed, reason: "They asked us to." }],
      "lead.identifier.remove": [{ lead_id: suppressed, email: suppressedEmail }],
      "lead.merge": [
        { winner_lead_id: lead_id, loser_lead_ids: [suppressed] },
        { winner_lead_id: suppressed, loser_lead_ids: [lead_id] }
      ],
      "lead.status.set": [{ lead_id: suppressed }],
      "lead.suppress": [{ lead_id: suppressed, reason: "For now", until: "2099-01-01T00:00:00Z" }],
      "lead.message.record": [{ lead_id, channel: "EMAIL", direction: "inbound", content: "Unsubscribe" }],
      "lead.suppression.lift": [lift],
      "lead.upsert": [
        { email: "qqxqqa-posted@lead.example", custom_id: tenant.customId },
        { lead_id: suppressed, email: "" },
        { email: suppressedEmail }
      ],
      "linkedin.draft.approve": [{ draft_id: invited }, { draft_id: known }],
      "linkedin.draft.approve-many": [{ items: [{ draft_id: known }] }],
      "linkedin.invitation.send": [{ lead_id: stranger, agent_handle }],
      "linkedin.usage.set-limits": [{ account_id: tenant.account[0], limits: {} }],
      "mission.update": [{ mission_id: "qqxqqa-letters" }]
    }
  }
}

/** The values that a field may be given one by one; undefined for texts, numbers and the like. */
const choicesOf = (node: SchemaNode): ReadonlyArray<unknown> | undefined => {
  if (node["type"] === "boolean") return [true, false]
  const values = node["enum"]
  return Array.isArray(values) && values.length > 1 ? values : undefined
}

/** The most combinations of a command's options; where there are more, each pair of options. */
const most = 600

const combined = (fields: ReadonlyArray<readonly [string, ReadonlyArray<unknown>]>): ReadonlyArray<SchemaNode> => {
  let inputs: ReadonlyArray<SchemaNode> = [{}]
  for (const [name, values] of fields) {
    inputs = [undefined, ...values].flatMap((value) =>
      value === undefined ? inputs : inputs.map((input) => ({ ...input, [name]: value }))
    )
  }
  return inputs
}

/** Every combination of the options of a command, none of them too. */
const optionsOf = (command: AnyCommand): ReadonlyArray<SchemaNode> => {
  const fields = propertiesOf(describeWithSchemas(command).input_schema).flatMap(([name, node]) => {
    const choices = choicesOf(node)
    return choices === undefined ? [] : [[name, choices] as const]
  })
  const count = fields.reduce((product, [, values]) => product * (values.length + 1), 1)
  if (count <= most) return combined(fields)
  return fields.flatMap((one, index) => fields.slice(index + 1).flatMap((other) => combined([one, other])))
}

/** Every input that is tried with a command. */
export const inputsOf = (command: AnyCommand, { extra, ...tenant }: World): ReadonlyArray<SchemaNode> => {
  const options = optionsOf(command)
  const bases = [
    ...(extra[command.id] ?? []),
    ...command.examples.map(({ input }) => inputFor(command.id, input, tenant))
  ]
  const seen = new Set<string>()
  return bases.flatMap((base) =>
    options.flatMap((option) => {
      const input = { ...base, ...option }
      const text = JSON.stringify(input)
      return seen.has(text) ? [] : [seen.add(text) && input]
    })
  )
}
