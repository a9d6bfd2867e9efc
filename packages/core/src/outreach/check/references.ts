/** References to facts: paths of what is known of a lead, its offer and its brief, and ids of notes and messages. */
import * as Schema from "effect/Schema"
import type { LeadContent } from "../../leads/Lead.ts"
import type { MissionContent } from "../../missions/Mission.ts"
import type { Offer } from "../../offers/Offer.ts"

/** The records that references lead into. Undefined is what is not known, or not linked. */
export interface FactRecords {
  readonly lead: LeadContent | undefined
  readonly mission: MissionContent | undefined
  readonly offer: Omit<Offer, "lastUsedAt"> | undefined
  /** Texts of notes and messages of the lead, by reference. */
  readonly quoted: Readonly<Record<string, string>>
}

/** Fields with one text, and lists, by record. Names are those of lead.get, offer.get and the brief of review.get. */
const vocabulary = {
  lead: {
    fields: "name|title|jobTitle|company|companyHeadline|companyIndustry|companySize|description|location",
    lists: "experience|education|skills|recentPosts"
  },
  offer: {
    fields: "name|oneLiner|valueProposition|description",
    lists: "references|problemSolutions|differentiators|resources"
  },
  brief: {
    fields: "objective|description|target_audience|why_we_contact_them|desired_action|key_message",
    lists: ""
  }
} as const

const paths = Object.entries(vocabulary).flatMap(([record, { fields, lists }]) => [
  `${record}\\.(?:${fields})`,
  ...(lists === "" ? [] : [`${record}\\.(?:${lists})\\[\\d{1,3}\\]`])
])
const shape = new RegExp(`^(?:${paths.join("|")}|(?:notes|messages)\\.[A-Za-z0-9_-]{1,64})$`)

const expected =
  "Expected a path of lead.get, offer.get or the brief, or the id of a note or message: lead.recentPosts[0], " +
  "offer.references[1], brief.key_message, notes.NOTE_ID or messages.MESSAGE_ID"

/** A reference. */
export const Reference = Schema.String.check(
  Schema.makeFilter((text: string) => (text.length <= 80 && shape.test(text) ? undefined : expected), {
    toJsonSchema: () => ({ maxLength: 80 })
  })
)

const part = /^(\w+)\.(\w+)(?:\[(\d+)\])?$/

/** Numbers of addresses and of metadata mean nothing. */
const unread = new Set(["url", "metadata", "publishedAt", "type"])

/** The texts in a value, those of an object by the names of its fields: stores keep these in orders of their own. */
const wordsIn = (value: unknown): string => {
  if (typeof value === "string") return value.trim()
  if (typeof value !== "object" || value === null) return ""
  const inner = Array.isArray(value)
    ? value
    : Object.entries(value)
        .filter(([name]) => !unread.has(name))
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, field]) => field)
  return inner
    .map(wordsIn)
    .filter((words) => words !== "")
    .join("\n")
}

const briefOf = (mission: MissionContent) => ({
  objective: mission.objective,
  description: mission.description,
  target_audience: mission.whoAreThey,
  why_we_contact_them: mission.whyWeContactThem,
  desired_action: mission.desiredAction,
  key_message: mission.keyMessage
})

/** The text of a fact; undefined when there is none. */
export const factOf = (reference: string, { lead, mission, offer, quoted }: FactRecords): string | undefined => {
  if (Object.hasOwn(quoted, reference)) return quoted[reference]
  const [, record = "", field = "", index] = part.exec(reference) ?? []
  const records: Readonly<Record<string, object | undefined>> = {
    lead: lead && { ...lead, title: lead.headline || lead.jobTitle },
    offer,
    brief: mission && briefOf(mission)
  }
  const value: unknown = Object.entries(records[record] ?? {}).find(([name]) => name === field)?.[1]
  const words = wordsIn(Array.isArray(value) && index !== undefined ? value[Number(index)] : value)
  return words === "" ? undefined : words
}
