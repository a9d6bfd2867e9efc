/** The service's own estimate: completeness, seniority, activity and, for an offer, fit by shared words. Source: G12. */
import type { LeadContent } from "../Lead.ts"
import type { ScoredLead, ScorePart } from "./LeadScorer.ts"
import { seniorityOf, wordsOf } from "./seniority.ts"

type Offer = Exclude<ScoredLead["offer"], undefined>

/** What one should know of a person before writing. */
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
  const missing = wanted.filter(([field]) => {
    const value = content[field]
    return value === "" || (Array.isArray(value) && value.length === 0)
  })
  const points = Math.round((most * (wanted.length - missing.length)) / wanted.length)
  const names = missing.map(([, name]) => name).join(", ")
  return { name: "completeness", points, most, why: names === "" ? "Everything is known." : `Not known: ${names}.` }
}

const seniority = ({ headline, jobTitle }: LeadContent, most: number): ScorePart => {
  const { level, share } = seniorityOf(jobTitle || headline)
  const why = level === undefined ? "No job title is known." : `The title is that of ${level}.`
  return { name: "seniority", points: Math.round(most * share), most, why }
}

const activity = ({ content, hasReplied }: ScoredLead, most: number): ScorePart => {
  const posts = content.recentPosts.length
  if (hasReplied) return { name: "activity", points: most, most, why: "The lead wrote to you." }
  const points = Math.round(most * (posts === 0 ? 0 : posts < 3 ? 0.4 : 0.6))
  const why = posts === 0 ? "Neither an answer nor a post is known." : "The lead publishes posts."
  return { name: "activity", points, most, why }
}

/** Words that tell nothing of what somebody does. */
const empty = new Set(
  (
    "a an and are as at by for from in is it of on or our that the their them they this to we with you your " +
    "der die das und für mit von le la les et de des pour"
  ).split(" ")
)

const tellingWords = (texts: ReadonlyArray<string | null>): ReadonlySet<string> =>
  new Set([...wordsOf(texts.join(" "))].filter((word) => word.length > 2 && !empty.has(word)))

/** Shared words that are as good as it gets. */
const enough = 6

const fit = (content: LeadContent, offer: Offer, most: number): ScorePart => {
  const asked = tellingWords([
    offer.name,
    offer.oneLiner,
    offer.valueProposition,
    offer.description,
    ...offer.problemSolutions.flatMap(({ feature, problem, solution }) => [problem, solution, feature]),
    ...offer.references.flatMap(({ content: text, industry, jobTitle }) => [text, industry, jobTitle])
  ])
  const { companyHeadline, companyIndustry, description, experience, headline, jobTitle, skills } = content
  const jobs = experience.flatMap(({ description: text, role }) => [role, text ?? ""])
  const known = tellingWords([headline, jobTitle, companyIndustry, companyHeadline, description, ...skills, ...jobs])
  const shared = [...known].filter((word) => asked.has(word)).sort()
  const points = Math.round((most * Math.min(shared.length, enough)) / enough)
  const why =
    shared.length === 0
      ? "Nothing known of the lead is in the offer's words."
      : `Shared with the offer: ${shared.slice(0, enough).join(", ")}.`
  return { name: "offer_fit", points, most, why }
}

/** The parts; their most points add up to 100 with an offer and without. */
export const estimateParts = (lead: ScoredLead): ReadonlyArray<ScorePart> => {
  const { content, offer } = lead
  if (offer === undefined) {
    return [completeness(content, 40), seniority(content, 40), activity(lead, 20)]
  }
  return [completeness(content, 25), seniority(content, 25), activity(lead, 15), fit(content, offer, 35)]
}
