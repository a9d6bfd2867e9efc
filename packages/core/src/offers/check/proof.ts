/** Finds weak proof: without a name, a source or a figure. */
import type { Finding } from "../../kernel/schema/Finding.ts"
import { codePointLength } from "../../kernel/schema/TextRules.ts"
import type { OfferContent } from "../Offer.ts"

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

/** Findings on proof. */
export const proof = (offer: OfferContent): ReadonlyArray<Finding> => {
  const promised = [
    offer.valueProposition,
    ...offer.references.map(({ content, keyResult }) => `${content} ${keyResult}`)
  ]
  const isVaguePromise = offer.valueProposition.trim() !== "" && !promised.some(hasFigure)
  return [
    ...(isVaguePromise
      ? [
          {
            path: "value_proposition",
            severity: "info" as const,
            code: "no_figure",
            message: "Neither the promise nor the proof has a figure in digits. A number makes it believable."
          }
        ]
      : []),
    ...offer.references.flatMap(findingsOf)
  ]
}
