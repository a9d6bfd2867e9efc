/** What an offer lacks, and what is longer than a reader reads. */
import type { Finding } from "../../Finding.ts"
import { codePointLength } from "../../TextRules.ts"
import type { OfferContent } from "../Offer.ts"

const longest = { one_liner: 140, value_proposition: 600, name: 80 } as const

const lacks = (path: string, severity: Finding["severity"], code: string, message: string) => (isMissing: boolean) =>
  isMissing ? [{ path, severity, code, message }] : []

const required = {
  name: lacks("name", "error", "missing", "There is no name. Call it what you call it among colleagues."),
  one_liner: lacks("one_liner", "error", "missing", "There is no one-liner. Say in one sentence what it is."),
  value_proposition: lacks(
    "value_proposition",
    "error",
    "missing",
    "There is no value proposition. Say what the customer gains, with a figure if there is one."
  )
}

const wanted = {
  references: lacks(
    "references",
    "warning",
    "no_proof",
    "There is no proof. Add a reference: a customer's words, a case, or a figure with its source."
  ),
  problemSolutions: lacks(
    "problem_solutions",
    "warning",
    "missing",
    "No problem is named. Add what the reader suffers from and how it is solved."
  ),
  differentiators: lacks(
    "differentiators",
    "warning",
    "missing",
    "Nothing sets it apart. Add what others do not have."
  ),
  landingPageUrl: lacks(
    "landing_page_url",
    "info",
    "missing",
    "There is no landing page. Add the address where a reader can look for more."
  ),
  resources: lacks("resources", "info", "missing", "There is no material. Add an article, a video or a guide to share.")
}

const tooLong = (path: keyof typeof longest, text: string): ReadonlyArray<Finding> => {
  const length = codePointLength(text)
  if (length <= longest[path]) return []
  const message = `It has ${length} characters; more than ${longest[path]} are seldom read. Keep the strongest part.`
  return [{ path, severity: path === "one_liner" ? "warning" : "info", code: "too_long", message }]
}

const isSentenceEnd = /[.!?]\s+\p{Lu}/u

/** Findings on missing and overlong parts. */
export const missingParts = (offer: OfferContent): ReadonlyArray<Finding> => [
  ...required.name(offer.name.trim() === ""),
  ...tooLong("name", offer.name),
  ...required.one_liner(offer.oneLiner.trim() === ""),
  ...tooLong("one_liner", offer.oneLiner),
  ...lacks(
    "one_liner",
    "info",
    "several_sentences",
    "It has several sentences. One is what readers remember."
  )(isSentenceEnd.test(offer.oneLiner)),
  ...required.value_proposition(offer.valueProposition.trim() === ""),
  ...tooLong("value_proposition", offer.valueProposition),
  ...wanted.landingPageUrl(offer.landingPageUrl === null),
  ...wanted.references(offer.references.length === 0),
  ...wanted.problemSolutions(offer.problemSolutions.length === 0),
  ...wanted.differentiators(offer.differentiators.length === 0),
  ...wanted.resources(offer.resources.length === 0)
]
