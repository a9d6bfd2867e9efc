/** The facts about a lead: how they are shown, edited and where they come from. Pure. */
import { type Field, linesOf, type Options, type Values } from "../form/values.ts"
import { actorName, type People } from "../live/People.ts"
import { valuesOf } from "../missions/fields.ts"
import { dateAndTime } from "../queue/times.ts"
import type { InputOf, ResultOf } from "../service/shapes.ts"
import { capital } from "../text/capital.ts"
import { type OwnField, ownInput, ownPrefix } from "./ownFields.ts"

export type Found = ResultOf<"lead.get">
export type Lead = Found["lead"]
export type Happening = ResultOf<"lead.timeline">["events"][number]

/** The next follow-up to a lead. */
export type Planned = Record<"lead_id" | "name", string> & NonNullable<Found["prospect_context"]["follow_up"]>

/** Why the data of a person may be kept. */
export const lawfulBases: Options = [
  ["", "Not known"],
  ..."consent contract legal_obligation vital_interests public_task legitimate_interests"
    .split(" ")
    .map((basis) => [basis, capital(basis.replace("_", " "))] as const)
]

/** Where it comes from, and that. */
export const basisFields: ReadonlyArray<Field> = [
  { name: "source", label: "Source", maxLength: 200 },
  { name: "lawful_basis", label: "Lawful basis", kind: "choice", options: lawfulBases }
]

/** The facts that a person can edit, in the order of the page: fields of `lead.upsert`. */
export const factFields: ReadonlyArray<Field> = [
  { name: "name", label: "Name", required: true, maxLength: 200 },
  { name: "job_title", label: "Job title", maxLength: 200 },
  { name: "company", label: "Company", maxLength: 200 },
  { name: "email", label: "Email address" },
  { name: "linkedin_url", label: "LinkedIn profile" },
  { name: "phone", label: "Phone", maxLength: 64 },
  { name: "location", label: "Location", maxLength: 200 },
  { name: "timezone", label: "Time zone", hint: "For example Europe/Paris" },
  { name: "headline", label: "Headline", maxLength: 500 },
  { name: "company_website", label: "Company website" },
  { name: "company_industry", label: "Industry", maxLength: 200 },
  { name: "company_size", label: "Company size", maxLength: 100 },
  { name: "personal_website", label: "Own website" },
  { name: "skills", label: "Skills", kind: "list", hint: "One per line" },
  { name: "description", label: "About", kind: "area", maxLength: 10_000 },
  { name: "score", label: "Score", kind: "number", min: 0, max: 100 },
  { name: "is_flagged", label: "Flagged", kind: "check" },
  { name: "tags", label: "Tags", kind: "list", rows: 2, hint: "One per line" },
  ...basisFields
]

/** The values of a lead for the form, with what is beside it. */
export const factsOf = (lead: Lead, { basis, fields = {}, tags = [] }: Partial<Found> = {}): Values => ({
  ...valuesOf(factFields, {
    ...lead,
    ...basis,
    tags,
    // The title is the headline, or the job title without one.
    headline: lead.title === lead.jobTitle ? "" : lead.title,
    score: lead.score === 0 ? "" : lead.score
  }),
  ...Object.fromEntries(Object.entries(fields).map(([key, value]) => [ownPrefix + key, String(value)]))
})

/** A value as people read it. */
export const factText = ({ options }: Field, value: Values[string] = ""): string =>
  value === true ? "Yes" : (options?.find(([one]) => one !== "" && one === value)?.[1] ?? String(value || ""))

/** What `lead.upsert` takes for changed values; empty ones are cleared. */
export const writtenOf = (changed: Values, own: ReadonlyArray<OwnField> = []): InputOf<"lead.upsert"> => {
  const plain = Object.entries(changed).filter(([name]) => !name.startsWith(ownPrefix))
  const input = plain.map(([name, value]) => {
    const kind = factFields.find((field) => field.name === name)?.kind
    if (kind === "list") return [name, linesOf(value)]
    if (kind === "number") return [name, value === "" ? null : Number(value)]
    return [name, kind === "choice" ? value || null : typeof value === "string" ? value.trim() : value]
  })
  return { ...Object.fromEntries(input), ...ownInput(changed, own) }
}

const sourceOf = ({ actor, at, data }: Happening, people: People): string => {
  const who = actor === null ? "" : actorName(people, actor.kind, actor.id)
  return `${data["import_id"] === undefined ? who : "Import"}, ${dateAndTime(at)}`
}

/**
 * Who wrote a fact last, and when: the latest event that names it, or the one that added the lead. Undefined where the events
 * that were read do not go back that far.
 */
export const factSource = (key: string, events: ReadonlyArray<Happening>, people: People): string | undefined => {
  const names = ({ data, type }: Happening) =>
    type === "lead.updated" && Array.isArray(data["changed"]) && data["changed"].includes(key)
  const event = events.find((one) => names(one) || one.type === "lead.created")
  return event && sourceOf(event, people)
}
