/** Inputs of commands in which every text holds a mark of its own, so that what became of each can be looked for. */
import { commands } from "#core/commands.ts"
import { describeWithSchemas } from "#core/kernel/command/Catalog.ts"
import type { AnyCommand } from "#core/kernel/command/Command.ts"
import { isNode, propertiesOf, type SchemaNode } from "../support/schemaArbitrary.ts"

/** A text that was planted: in which command, at which place, and with which mark. */
export interface Planted {
  readonly place: string
  readonly mark: string
  /** Whether it is about somebody else. */
  readonly isOthers: boolean
}

/** Names of fields that hold no free text: what names a record, a format, or a choice of the provider. */
const named =
  /^(confirm|key|handle|agent_handle|gateway|timezone|language|filters|exclude|encoding|delimiter|state|call|content_hash|not_before|profile_url|from_email|to_email|working_hours|mapping)$|(^|_)ids?(\[\])?$/

/** Identifiers of people, which are planted where a command stores them; elsewhere they name a lead. */
const identifier = /^(email|custom_id|linkedin_url|linkedin_id|sales_nav_id|external_id|external_message_id)$/

const storing =
  /^(lead\.(upsert|suppress|suppression\.lift|message\.record)|linkedin\.queue\.resolve|agent\.|policy\.) /

/** Another spelling of a field that is planted itself. */
const left = new Set([
  "offer_name",
  "mission_handle",
  "jobTitle",
  "companyLocation",
  "companySize",
  "keyResult",
  "brief"
])

/** Values by the name of a field whose text has a form. */
const forms: Readonly<Record<string, (mark: string) => string>> = {
  email: (mark) => `${mark}@people.example`,
  linkedin_url: (mark) => `https://www.linkedin.com/in/${mark}-2nd`,
  linkedin_id: (mark) => `ACoAAAAB${mark}${"c".repeat(31 - mark.length)}`,
  sales_nav_id: (mark) => `ACwAAAAB${mark}${"d".repeat(31 - mark.length)},NAME_SEARCH,abcd`,
  domain: (mark) => `${mark}.example`
}

const formOf = (name: string, schema: SchemaNode) => {
  const known = forms[name]
  if (known !== undefined) return known
  const pattern = String(schema["pattern"] ?? "")
  return /[tT]{2}/.test(pattern) ? (mark: string) => `https://${mark}.example/x` : (mark: string) => `Text ${mark}`
}

const typesOf = (schema: SchemaNode): ReadonlyArray<unknown> => [schema["type"]].flat()

/** Whether a field is filled with text: by its schema, and as none of {@link named}. */
const isText = (command: string, name: string, schema: SchemaNode): boolean =>
  typesOf(schema).includes("string") &&
  schema["enum"] === undefined &&
  schema["format"] === undefined &&
  (identifier.test(name) ? storing.test(`${command} `) : !named.test(name))

/** The object among alternatives, or the first. */
const chosen = (schema: SchemaNode): SchemaNode => {
  const members = Array.isArray(schema["anyOf"]) ? schema["anyOf"].filter(isNode) : []
  return members.find((one) => typesOf(one).includes("object")) ?? members[0] ?? schema
}

type Plant = (place: string, form: (mark: string) => string) => string

const fill = (command: string, given: SchemaNode, name: string, place: string, plant: Plant): unknown => {
  const schema = chosen(given)
  if (place.endsWith("evidence[].references[]")) return "lead.company"
  if (isText(command, name, schema)) return plant(place, formOf(name, schema))
  if (typesOf(schema).includes("array") && isNode(schema["items"])) {
    const item = fill(command, schema["items"], `${name}[]`, `${place}[]`, plant)
    return item === undefined ? undefined : [item]
  }
  if (!typesOf(schema).includes("object") || named.test(name)) return undefined
  const required = [schema["required"] ?? []].flat()
  const known = propertiesOf(schema)
  const fields = known.flatMap(([inner, node]) => {
    const at = place === "" ? inner : `${place}.${inner}`
    if (left.has(inner) || left.has(at) || (inner === "title" && known.some(([other]) => other === "job_title")))
      return []
    const value =
      fill(command, node, inner, at, plant) ?? (required.includes(inner) ? [node["enum"]].flat()[0] : undefined)
    return value === undefined ? [] : [[inner, value] as const]
  })
  return fields.some(([, value]) => value !== undefined) ? Object.fromEntries(fields) : undefined
}

const isChange = ({ outward, risk }: AnyCommand): boolean => risk !== "read" || outward === true

/** The commands that change something. */
export const changing: ReadonlyArray<AnyCommand> = commands.filter(isChange)

/** Every place of a text in the inputs of the commands that change something, as `command place`. */
export const textPlaces: ReadonlyArray<string> = changing.flatMap((command) => {
  const places: Array<string> = []
  fill(command.id, describeWithSchemas(command).input_schema, "", "", (place, form) => {
    places.push(`${command.id} ${place}`)
    return form("x")
  })
  return places
})

/** The places of an input where a mark stands, as in {@link textPlaces}. */
export const markedPlaces = (value: unknown, place: string): ReadonlyArray<string> => {
  if (typeof value === "string") return /zqm\d{4}k/.test(value) ? [place] : []
  if (Array.isArray(value)) return value.flatMap((item) => markedPlaces(item, `${place}[]`))
  return Object.entries(Object(value)).flatMap(([name, member]) =>
    markedPlaces(member, place.endsWith(" ") ? `${place}${name}` : `${place}.${name}`)
  )
}

/** A draft's text with the words that its evidence is for. */
const withClaims = (input: SchemaNode): SchemaNode => {
  if (Array.isArray(input["drafts"])) return { ...input, drafts: input["drafts"].map(withClaims) }
  const { evidence, variations } = input
  if (!Array.isArray(evidence) || !Array.isArray(variations)) return input
  const [{ claim }, { body_text }] = [evidence[0], variations[0]]
  return { ...input, variations: [{ body_text: `${body_text} ${claim}` }] }
}

/** Makes inputs with a mark in every text; `planted` grows with them. */
export const makePlanter = () => {
  const planted: Array<Planted> = []
  const mark = (place: string, isOthers = false): string => {
    const text = `zqm${String(planted.length).padStart(4, "0")}k`
    planted.push({ place, mark: text, isOthers })
    return text
  }
  /** The input of a command, with `base` instead of what it would have there. */
  const inputOf = (id: string, base: SchemaNode, without: ReadonlyArray<string> = [], isOthers = false): SchemaNode => {
    const command = commands.find((one) => one.id === id)
    if (command === undefined) throw new Error(`no command ${id}`)
    const schema = describeWithSchemas(command).input_schema
    const open = propertiesOf(schema).filter(([name]) => !without.includes(name) && !(name in base))
    const asked = { ...schema, properties: Object.fromEntries(open) }
    const filled = fill(id, asked, "", "", (place, form) => form(mark(`${id} ${place}`, isOthers)))
    return withClaims({ ...(isNode(filled) ? filled : {}), ...base })
  }
  return { planted, mark, inputOf }
}
