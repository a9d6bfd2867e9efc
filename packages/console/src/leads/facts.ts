/** The facts about a lead: how they are shown, edited and where they come from. Pure. */
import { type Field, linesOf, type Values } from "../form/values.ts"
import { actorName, type People } from "../live/People.ts"
import { valuesOf } from "../missions/fields.ts"
import { dateAndTime } from "../queue/times.ts"
import type { InputOf, ResultOf } from "../service/shapes.ts"

export type Lead = ResultOf<"lead.get">["lead"]
export type Happening = ResultOf<"lead.timeline">["events"][number]

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
  { name: "is_flagged", label: "Flagged", kind: "check" }
]

/** The values of a lead for the form. */
export const factsOf = (lead: Lead): Values =>
  valuesOf(factFields, {
    ...lead,
    // The title is the headline, or the job title without one.
    headline: lead.title === lead.jobTitle ? "" : lead.title,
    score: lead.score === 0 ? "" : lead.score
  })

/** What `lead.upsert` takes for changed values; empty ones are cleared. */
export const writtenOf = (changed: Values): InputOf<"lead.upsert"> =>
  Object.fromEntries(
    Object.entries(changed).map(([name, value]) => {
      const kind = factFields.find((field) => field.name === name)?.kind
      if (kind === "list") return [name, linesOf(value)]
      if (kind === "number") return [name, value === "" ? null : Number(value)]
      return [name, typeof value === "string" ? value.trim() : value]
    })
  )

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
