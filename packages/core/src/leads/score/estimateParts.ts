/** The service's own estimate: completeness, seniority, activity and, for an offer, fit by shared words. */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type { Offer } from "../../offers/Offer.ts"
import type { LeadContent } from "../Lead.ts"
import { isUnknown } from "../projectFields.ts"

/** The data a scorer uses. */
interface ScoredLead {
  readonly content: LeadContent
  /** Whether the lead ever replied. */
  readonly hasReplied: boolean
  /** The offer to compare with; undefined without one. */
  readonly offer: Offer | undefined
}

/** One part of an estimate: 0 to `most` points, and one sentence that explains them. */
export const ScorePart = Schema.Struct({
  name: Schema.String,
  points: Schema.Finite,
  most: Schema.Finite.annotate({ description: "Maximum points for this part" }),
  why: Schema.String
})

type ScorePart = typeof ScorePart.Type

/** Levels, highest first, with the whole words that indicate them. */
const levels = [
  {
    share: 1,
    level: "an owner or executive",
    words: "ceo cfo coo cto cmo cro cio chief founder cofounder owner president partner".split(" ")
  },
  { share: 0.8, level: "a vice president or head", words: ["vp", "svp", "evp", "head", "vice"] },
  { share: 0.7, level: "a director", words: ["director", "principal"] },
  { share: 0.5, level: "a manager", words: ["manager", "lead", "controller", "supervisor"] },
  { share: 0.3, level: "experienced staff", words: ["senior", "sr", "specialist", "expert"] },
  { share: 0.1, level: "a junior employee", words: ["junior", "intern", "trainee", "assistant", "student"] }
] as const

/** The words of a text, in lower case. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== "")
  )

/** Share of the points, 0 to 1, and the level in words; 0.2 for an unknown title. */
const seniorityOf = (title: string): { readonly share: number; readonly level: string | undefined } => {
  const words = wordsOf(title)
  if (words.size === 0) return { share: 0, level: undefined }
  // A vice president is not a president.
  const isVice = words.has("vice") || words.has("assistant")
  const found = levels.find(
    ({ share, words: telling }) => (share < 1 || !isVice) && telling.some((word) => words.has(word))
  )
  return found ?? { share: 0.2, level: "staff" }
}

/** Fields that count for completeness. */
const wanted: ReadonlyArray<readonly [keyof LeadContent, string]> = [
  ["jobTitle", "job title"],
  ["company", "company"],
  ["headline", "headline"],
  ["linkedinUrl", "LinkedIn profile"],
  ["email", "e-mail"],
  ["location", "location"],
  ["companyIndustry", "industry"],
  ["experience", "experience"]
]

const completeness = (content: LeadContent, most: number): ScorePart => {
  const missing = wanted.filter(([field]) => isUnknown(content[field]))
  const points = Math.round((most * (wanted.length - missing.length)) / wanted.length)
  const names = missing.map(([, name]) => name).join(", ")
  return { name: "completeness", points, most, why: names === "" ? "All data is known." : `Missing: ${names}.` }
}

const seniority = ({ headline, jobTitle }: LeadContent, most: number): ScorePart => {
  const { level, share } = seniorityOf(jobTitle || headline)
  const why = level === undefined ? "The job title is missing." : `The title suggests ${level}.`
  return { name: "seniority", points: Math.round(most * share), most, why }
}

const activity = ({ content, hasReplied }: ScoredLead, most: number): ScorePart => {
  const posts = content.recentPosts.length
  if (hasReplied) return { name: "activity", points: most, most, why: "The lead wrote to you." }
  const points = Math.round(most * (posts === 0 ? 0 : posts < 3 ? 0.4 : 0.6))
  const why = posts === 0 ? "No replies or posts yet." : "The lead publishes posts."
  return { name: "activity", points, most, why }
}

/** Words without meaning for the fit. */
const stopWords = new Set(
  (
    "a an and are as at by for from in is it of on or our that the their them they this to we with you your " +
    "der die das und für mit von le la les et de des pour"
  ).split(" ")
)

const significantWords = (texts: ReadonlyArray<string | null>): ReadonlySet<string> =>
  new Set([...wordsOf(texts.join(" "))].filter((word) => word.length > 2 && !stopWords.has(word)))

/** Number of shared words for full points. */
const maxSharedWords = 6

const fit = (content: LeadContent, offer: Offer, most: number): ScorePart => {
  const asked = significantWords([
    offer.name,
    offer.oneLiner,
    offer.valueProposition,
    offer.description,
    ...offer.problemSolutions.flatMap(({ feature, problem, solution }) => [problem, solution, feature]),
    ...offer.references.flatMap(({ content: text, industry, jobTitle }) => [text, industry, jobTitle])
  ])
  const { companyHeadline, companyIndustry, description, experience, headline, jobTitle, skills } = content
  const jobs = experience.flatMap(({ description: text, role }) => [role, text ?? ""])
  const known = significantWords([
    headline,
    jobTitle,
    companyIndustry,
    companyHeadline,
    description,
    ...skills,
    ...jobs
  ])
  const shared = [...known].filter((word) => asked.has(word)).sort()
  const points = Math.round((most * Math.min(shared.length, maxSharedWords)) / maxSharedWords)
  const why =
    shared.length === 0
      ? "Nothing in this profile matches the offer."
      : `In common with the offer: ${shared.slice(0, maxSharedWords).join(", ")}.`
  return { name: "offer_fit", points, most, why }
}

/** The built-in scorer. Maximum points add up to 100, with and without an offer. */
const estimateParts = (lead: ScoredLead): ReadonlyArray<ScorePart> => {
  const { content, offer } = lead
  if (offer === undefined) {
    return [completeness(content, 40), seniority(content, 40), activity(lead, 20)]
  }
  return [completeness(content, 25), seniority(content, 25), activity(lead, 15), fit(content, offer, 35)]
}

/** Returns the parts of an estimate, whose points add up to 0 to 100. Must be deterministic. */
type Scorer = (lead: ScoredLead) => ReadonlyArray<ScorePart>

export const LeadScorer: Context.Reference<Scorer> = Context.Reference<Scorer>("@svc/core/leads/LeadScorer", {
  defaultValue: () => estimateParts
})
