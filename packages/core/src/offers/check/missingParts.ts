/** Finds missing parts of an offer, and texts that are too long. */
import type { Finding } from "../../kernel/schema/Finding.ts"
import { codePointLength } from "../../kernel/schema/TextRules.ts"
import type { OfferContent } from "../Offer.ts"

const maxLengths = { one_liner: 140, value_proposition: 600, name: 80 } as const

const lacks = (path: string, severity: Finding["severity"], code: string, message: string) => (isMissing: boolean) =>
  isMissing ? [{ path, severity, code, message }] : []

const required = {
  name: lacks("name", "error", "missing", "The name is missing. Use the name your team uses."),
  one_liner: lacks("one_liner", "error", "missing", "The one-liner is missing. Describe the offer in one sentence."),
  value_proposition: lacks(
    "value_proposition",
    "error",
    "missing",
    "The value proposition is missing. Say what the customer gains, with a figure if you have one."
  )
}

const wanted = {
  references: lacks(
    "references",
    "warning",
    "no_proof",
    "There is no proof. Add a reference: a quote, a case, or a figure with its source."
  ),
  problemSolutions: lacks(
    "problem_solutions",
    "warning",
    "missing",
    "There is no problem. Add a problem of the customer and how it is solved."
  ),
  differentiators: lacks(
    "differentiators",
    "warning",
    "missing",
    "There is no differentiator. Add what sets the offer apart."
  ),
  landingPageUrl: lacks(
    "landing_page_url",
    "info",
    "missing",
    "There is no landing page. Add a URL where the reader can learn more."
  ),
  resources: lacks("resources", "info", "missing", "There is no resource. Add an article, a video or a guide to share.")
}

const tooLong = (path: keyof typeof maxLengths, text: string): ReadonlyArray<Finding> => {
  const length = codePointLength(text)
  const max = maxLengths[path]
  if (length <= max) return []
  const message = `${length} characters; texts over ${max} are rarely read. Keep the strongest part.`
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
    "The one-liner has several sentences. Readers remember one."
  )(isSentenceEnd.test(offer.oneLiner)),
  ...required.value_proposition(offer.valueProposition.trim() === ""),
  ...tooLong("value_proposition", offer.valueProposition),
  ...wanted.landingPageUrl(offer.landingPageUrl === null),
  ...wanted.references(offer.references.length === 0),
  ...wanted.problemSolutions(offer.problemSolutions.length === 0),
  ...wanted.differentiators(offer.differentiators.length === 0),
  ...wanted.resources(offer.resources.length === 0)
]
