/**
 * Reviews an offer as a sceptical prospect would: what is missing or vague, and which links do not work.
 *
 * Deterministic, without any request: the same content gives the same findings in the same order, worst first.
 */
import { excerpt, type Finding, type FindingSeverity } from "../../kernel/schema/Finding.ts"
import { findPlaceholders } from "../../kernel/schema/TextFields.ts"
import { codePointLength } from "../../kernel/schema/TextRules.ts"
import type { OfferContent } from "../Offer.ts"
import { addresses, addressesOf, type OfferText, textsOf } from "./offerTexts.ts"

const maxLengths = { one_liner: 140, value_proposition: 600, name: 80 } as const

/** What is said of a part that is missing. */
const missing = {
  name: ["error", "missing", "The name is missing. Use the name your team uses."],
  one_liner: ["error", "missing", "The one-liner is missing. Describe the offer in one sentence."],
  value_proposition: [
    "error",
    "missing",
    "The value proposition is missing. Say what the customer gains, with a figure if you have one."
  ],
  landing_page_url: ["info", "missing", "There is no landing page. Add a URL where the reader can learn more."],
  references: [
    "warning",
    "no_proof",
    "There is no proof. Add a reference: a quote, a case, or a figure with its source."
  ],
  problem_solutions: ["warning", "missing", "There is no problem. Add a problem of the customer and how it is solved."],
  differentiators: ["warning", "missing", "There is no differentiator. Add what sets the offer apart."],
  resources: ["info", "missing", "There is no resource. Add an article, a video or a guide to share."]
} as const

const lacks = (path: keyof typeof missing, isMissing: boolean): ReadonlyArray<Finding> => {
  const [severity, code, message] = missing[path]
  return isMissing ? [{ path, severity, code, message }] : []
}

const tooLong = (path: keyof typeof maxLengths, text: string): ReadonlyArray<Finding> => {
  const length = codePointLength(text)
  const max = maxLengths[path]
  if (length <= max) return []
  const message = `${length} characters; texts over ${max} are rarely read. Keep the strongest part.`
  return [{ path, severity: path === "one_liner" ? "warning" : "info", code: "too_long", message }]
}

const isSentenceEnd = /[.!?]\s+\p{Lu}/u

const severalSentences: Finding = {
  path: "one_liner",
  severity: "info",
  code: "several_sentences",
  message: "The one-liner has several sentences. Readers remember one."
}

/** Findings on missing and overlong parts. */
const missingParts = (offer: OfferContent): ReadonlyArray<Finding> => [
  ...lacks("name", offer.name.trim() === ""),
  ...tooLong("name", offer.name),
  ...lacks("one_liner", offer.oneLiner.trim() === ""),
  ...tooLong("one_liner", offer.oneLiner),
  ...(isSentenceEnd.test(offer.oneLiner) ? [severalSentences] : []),
  ...lacks("value_proposition", offer.valueProposition.trim() === ""),
  ...tooLong("value_proposition", offer.valueProposition),
  ...lacks("landing_page_url", offer.landingPageUrl === null),
  ...lacks("references", offer.references.length === 0),
  ...lacks("problem_solutions", offer.problemSolutions.length === 0),
  ...lacks("differentiators", offer.differentiators.length === 0),
  ...lacks("resources", offer.resources.length === 0)
]

type Reference = OfferContent["references"][number]

/** Shorter texts cannot say who did what. */
const minLength = 25

const hasFigure = (text: string): boolean => /\p{N}/u.test(text)

const isEmpty = (text: string | null): boolean => text === null || text.trim() === ""

/** A warning about a field of the reference at `index`, if `applies`. */
const warningAt =
  (index: number) =>
  (applies: boolean, field: string, code: string, message: string): ReadonlyArray<Finding> =>
    applies ? [{ path: `references[${index}].${field}`, severity: "warning", code, message }] : []

const findingsOf = (reference: Reference, index: number): ReadonlyArray<Finding> => {
  const { author, company, content, source, type, url } = reference
  const isStory = type === "TESTIMONIAL" || type === "CASE_STUDY"
  const warning = warningAt(index)
  return [
    ...warning(
      codePointLength(content.trim()) < minLength,
      "content",
      "weak_proof",
      "Too short to prove anything. Say who did what, and with what result."
    ),
    ...warning(
      isStory && isEmpty(author) && isEmpty(company),
      "company",
      "anonymous_proof",
      "Nobody is named. Add the company, or the author and the job title."
    ),
    ...warning(
      (type === "STATS" || type === "PRESS") && isEmpty(source) && isEmpty(url),
      "source",
      "unsourced_proof",
      "The source is missing. Add where it was published, so that a reader can check it."
    ),
    ...warning(
      type === "STATS" && !hasFigure(`${content} ${reference.keyResult ?? ""}`),
      "content",
      "no_figure",
      "The type is a figure, but there is none. Add it, or choose another type."
    )
  ]
}

const vaguePromise: Finding = {
  path: "value_proposition",
  severity: "info",
  code: "no_figure",
  message: "Neither the promise nor the proof has a figure in digits. A number makes it believable."
}

/** Findings on proof. */
const proof = (offer: OfferContent): ReadonlyArray<Finding> => {
  const promised = [
    offer.valueProposition,
    ...offer.references.map(({ content, keyResult }) => `${content} ${keyResult}`)
  ]
  const isVaguePromise = offer.valueProposition.trim() !== "" && !promised.some(hasFigure)
  return [...(isVaguePromise ? [vaguePromise] : []), ...offer.references.flatMap(findingsOf)]
}

const placeholders = ({ path, text }: OfferText): ReadonlyArray<Finding> =>
  findPlaceholders(text).map((mark) => ({
    path,
    severity: "error",
    code: "placeholder",
    message: `The placeholder ${excerpt(mark)} is still there. Replace it.`
  }))

const isShouting = (text: string): boolean => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0
  return /!{2,}|\?{2,}/.test(text) || (letters >= 20 && capitals > letters * 0.7)
}

const shouting = ({ path, text }: OfferText): ReadonlyArray<Finding> =>
  isShouting(text)
    ? [
        {
          path,
          severity: "info",
          code: "shouting",
          message: "Capitals or repeated punctuation read as shouting. Tone it down."
        }
      ]
    : []

/** Findings on words. */
const wording = (texts: ReadonlyArray<OfferText>): ReadonlyArray<Finding> =>
  texts.flatMap((text) => [...placeholders(text), ...shouting(text)])

// Repeated texts, ignoring case, accents, punctuation and white space.

const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "")

const twice = <Field extends string>(
  list: string,
  field: Field,
  what: string,
  items: ReadonlyArray<Readonly<Record<Field, string | null>>>
): ReadonlyArray<Finding> => {
  const first = new Map<string, number>()
  return items.flatMap((item, index): ReadonlyArray<Finding> => {
    const key = folded(item[field] ?? "")
    const earlier = first.get(key)
    if (key === "") return []
    if (earlier === undefined) {
      first.set(key, index)
      return []
    }
    const message = `This ${what} is the same as ${list}[${earlier}]. Keep one of them.`
    return [{ path: `${list}[${index}].${field}`, severity: "warning", code: "duplicate", message }]
  })
}

const same = (path: string, text: string, other: string, what: string): ReadonlyArray<Finding> =>
  folded(text) !== "" && folded(text) === folded(other)
    ? [{ path, severity: "warning", code: "duplicate", message: `This only repeats the ${what}. Say something new.` }]
    : []

/** Findings on repetitions. */
const repeats = (offer: OfferContent): ReadonlyArray<Finding> => [
  ...same("one_liner", offer.oneLiner, offer.name, "name"),
  ...same("value_proposition", offer.valueProposition, offer.oneLiner, "one-liner"),
  ...same("description", offer.description ?? "", offer.valueProposition, "value proposition"),
  ...twice("references", "content", "proof", offer.references),
  ...twice("problem_solutions", "problem", "problem", offer.problemSolutions),
  ...offer.problemSolutions.flatMap(({ problem, solution }, index) =>
    same(`problem_solutions[${index}].solution`, solution, problem, "problem")
  ),
  ...twice("differentiators", "title", "differentiator", offer.differentiators),
  ...offer.differentiators.flatMap(({ description, title }, index) =>
    same(`differentiators[${index}].description`, description ?? "", title, "title")
  ),
  ...twice("resources", "url", "address", offer.resources)
]

const ranks: Readonly<Record<FindingSeverity, number>> = { error: 0, warning: 1, info: 2 }

/** Points that a finding takes off the score of 100. */
const weights: Readonly<Record<FindingSeverity, number>> = { error: 25, warning: 8, info: 2 }

/** Maximum findings returned, worst first. */
const maxFindings = 100

/** The score of findings: a whole number from 0 to 100; 100 without findings. */
export const scoreOf = (findings: ReadonlyArray<Finding>): number =>
  Math.max(0, 100 - findings.reduce((sum, { severity }) => sum + weights[severity], 0))

/** Checks the content of an offer. Takes any content, stored or not. */
export const checkOffer = (offer: OfferContent) => {
  const findings = [
    ...missingParts(offer),
    ...wording(textsOf(offer)),
    ...addresses(addressesOf(offer)),
    ...proof(offer),
    ...repeats(offer)
  ].toSorted((a, b) => ranks[a.severity] - ranks[b.severity])
  return { score: scoreOf(findings), findings: findings.slice(0, maxFindings) }
}
