/** Which properties of an input name something, and what each would name of a tenant. */
import { isNode, propertiesOf, type SchemaNode } from "../support/schemaArbitrary.ts"
import type { Tenant } from "../support/tenant.ts"

/** Where a property is in an input: names of objects, the last one its own. */
export type Place = ReadonlyArray<string>

/** Facts of a tenant that are lists of names. */
type ListedName = { [Fact in keyof Tenant]: Tenant[Fact] extends string ? never : Fact }[keyof Tenant]

const of =
  (kind: ListedName) =>
  (tenant: Tenant): ReadonlyArray<string> =>
    tenant[kind]

const names: Readonly<Record<string, (tenant: Tenant) => ReadonlyArray<string>>> = {
  offer_id: of("offer"),
  offerId: of("offer"),
  agent_handle: of("agent"),
  agentHandle: of("agent"),
  agent_id: of("agent"),
  mission_id: of("mission"),
  mission_handle: of("mission"),
  missionHandle: of("mission"),
  lead_id: of("lead"),
  leadId: of("lead"),
  prospect_id: of("lead"),
  draft_id: of("draft"),
  import_id: of("import"),
  email_id: of("letter"),
  review_id: of("letter"),
  from_email: ({ mailbox }) => [mailbox],
  importId: of("import"),
  account_id: of("account"),
  queue_id: of("queue"),
  invitation_id: of("invitation"),
  item_id: ({ approval, draft, invitation, letter }) => [...approval, ...draft, ...invitation, ...letter],
  content_hash: of("contentHash"),
  winner_lead_id: of("lead"),
  loser_lead_ids: of("otherLead"),
  lead_ids: of("lead"),
  external_id: ({ mark }) => [`${mark}-message`],
  confirm: of("lead"),
  approval_request_id: of("approval"),
  key: ({ mark }) => [`${mark}_field`],
  saved_filter: ({ mark }) => [`${mark}-filter`],
  key_id: of("key"),
  keyId: of("key"),
  webhook_id: of("webhook"),
  webhookId: of("webhook"),
  delivery_id: of("delivery"),
  deliveryId: of("delivery"),
  handle: ({ mark }) => [`${mark}-agent`, `${mark}-mission`],
  email: ({ email }) => [email],
  custom_id: ({ customId }) => [customId],
  customId: ({ customId }) => [customId],
  linkedin_url: ({ profileUrl }) => [profileUrl],
  linkedinUrl: ({ profileUrl }) => [profileUrl],
  linkedin_id: ({ member }) => [member],
  linkedinId: ({ member }) => [member],
  sales_nav_id: ({ salesNavLead }) => [salesNavLead],
  salesNavId: ({ salesNavLead }) => [salesNavLead]
}

/** Fields that are filled by a test of their own, that name a command, or that a host or a provider chooses freely. */
const filledElsewhere = new Set([
  "cursor",
  "ifMatch",
  "command_id",
  "user_id",
  "external_message_id",
  "gateway_account_id"
])

/** A field that must say the same as another. */
const echoes: Readonly<Record<string, string>> = { lead_id: "confirm" }

const namesSomething = /(^|_)(ids?|handles?|cursors?|hash|tag|token|key)$|(Id|Ids|Handle|Handles|Cursor|Hash|Match)$/

/** Properties of which at most one is sent at a time: they name the same thing. */
const alternatives: ReadonlyArray<ReadonlyArray<string>> = [
  ["lead_id", "prospect_id", "email", "custom_id", "linkedin_url", "linkedin_id", "sales_nav_id"],
  ["leadId", "email", "customId", "linkedinUrl", "linkedinId", "salesNavId"],
  ["agent_handle", "agent_id"],
  ["invitation_id", "lead_id"],
  ["invitation_id", "agent_handle"],
  ["mission_id", "mission_handle"]
]

/** What an item of a list needs beside the name in it. */
const itemsOf: Readonly<Record<string, SchemaNode>> = {
  email_accounts: { provider: "GOOGLE" },
  emailAccounts: { provider: "GOOGLE" }
}

/** The places of an input that name something, through objects and lists. */
export const namingPlaces = (schema: SchemaNode, path: Place = []): ReadonlyArray<Place> =>
  propertiesOf(schema).flatMap(([name, node]) => {
    const place = [...path, name]
    const items = node["items"]
    const inner = [...namingPlaces(node, place), ...(isNode(items) ? namingPlaces(items, [...place, "[]"]) : [])]
    return namesSomething.test(name) || Object.hasOwn(names, name) ? [place, ...inner] : inner
  })

/** What a name of a field names of a tenant, in the input of a command. */
const namesIn = (id: string, name: string, tenant: Tenant): ReadonlyArray<string> | undefined =>
  name === "email" && id.startsWith("email.mailbox.") ? [tenant.mailbox] : names[name]?.(tenant)

/** What a place can name of a tenant; undefined when nobody told this test how to fill it. */
export const namesAt = (id: string, place: Place, tenant: Tenant): ReadonlyArray<string> | undefined =>
  /^email_?accounts$/i.test(place[0] ?? "") ? [tenant.mailbox] : namesIn(id, place.at(-1) ?? "", tenant)

/** Whether a place is left to another test. */
export const isFilledElsewhere = (place: Place): boolean => filledElsewhere.has(place.at(-1) ?? "")

/** What would name the same thing as `name`. An input with a lead's id and an identifier needs both. */
const othersOf = (input: SchemaNode, name: string): ReadonlyArray<string> =>
  alternatives.flatMap((group) => {
    if (!group.includes(name)) return []
    const isPair = Object.hasOwn(input, "lead_id") && group.filter((one) => Object.hasOwn(input, one)).length > 1
    return group.filter((one) => one !== name && !(isPair && [one, name].includes("lead_id")))
  })

/** An input with another value at a place, and without what would name the same thing differently. */
export const withName = (input: SchemaNode, [name = "", ...rest]: Place, value: unknown): SchemaNode => {
  const others = othersOf(input, name)
  const kept = Object.fromEntries(Object.entries(input).filter(([key]) => !others.includes(key)))
  const echo = echoes[name] ?? ""
  if (rest.length === 0) {
    const listed = name.endsWith("_ids") ? [value] : value
    return { ...kept, [name]: listed, ...(Object.hasOwn(input, echo) ? { [echo]: value } : {}) }
  }
  const member = input[name]
  if (rest[0] !== "[]") return { ...kept, [name]: withName(isNode(member) ? member : {}, rest, value) }
  const item: unknown = Array.isArray(member) ? member[0] : undefined
  return { ...kept, [name]: [withName(isNode(item) ? item : (itemsOf[name] ?? {}), rest.slice(1), value)] }
}

/** An example's input with the tenant's names in place of the sample's, wherever it names something. */
export const inputFor = (id: string, example: SchemaNode, tenant: Tenant): SchemaNode =>
  Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      if (isNode(value)) return [name, inputFor(id, value, tenant)]
      const [own] = namesIn(id, name, tenant) ?? []
      if (Array.isArray(value) && name.endsWith("_ids")) return [name, [own]]
      return [name, typeof value === "string" && own !== undefined ? own : value]
    })
  )
