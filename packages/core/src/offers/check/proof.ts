/** Whether the proof of an offer proves something: somebody named, a source, a figure. */
import type { Finding } from "../../Finding.ts"
import { codePointLength } from "../../TextRules.ts"
import type { OfferContent } from "../Offer.ts"

type Reference = OfferContent["references"][number]

/** Shorter texts cannot tell who did what. */
const shortest = 25

const hasFigure = (text: string): boolean => /\p{N}/u.test(text) || numberWord.test(text)

const numberWord =
  /(?<!\p{L})(?:two|three|four|five|six|seven|eight|nine|ten|twelve|half|twice|double|triple|deux|trois|quatre|cinq|moitié|double|zwei|drei|vier|fünf|hälfte|doppelt|dos|tres|cuatro|cinco|mitad|doble)(?!\p{L})/iu

const isEmpty = (text: string | null): boolean => text === null || text.trim() === ""

const problemsOf = (reference: Reference): ReadonlyArray<Omit<Finding, "path"> & { readonly field: string }> => {
  const { author, company, content, source, type, url } = reference
  const isStory = type === "TESTIMONIAL" || type === "CASE_STUDY"
  return [
    ...(codePointLength(content.trim()) < shortest
      ? [
          {
            field: "content",
            severity: "warning" as const,
            code: "weak_proof",
            message: "It is too short to prove something. Say who did what, and what came of it."
          }
        ]
      : []),
    ...(isStory && isEmpty(author) && isEmpty(company)
      ? [
          {
            field: "company",
            severity: "warning" as const,
            code: "anonymous_proof",
            message: "Nobody is named. Add the company, or the author and the job title."
          }
        ]
      : []),
    ...((type === "STATS" || type === "PRESS") && isEmpty(source) && isEmpty(url)
      ? [
          {
            field: "source",
            severity: "warning" as const,
            code: "unsourced_proof",
            message: "It has no source. Add where it was published, so that a reader can check it."
          }
        ]
      : []),
    ...(type === "STATS" && !hasFigure(`${content} ${reference.keyResult ?? ""}`)
      ? [
          {
            field: "content",
            severity: "warning" as const,
            code: "no_figure",
            message: "It is called a figure and holds none. Add it, or choose another type."
          }
        ]
      : [])
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
            message: "Neither the promise nor its proof has a figure. One number makes it believable."
          }
        ]
      : []),
    ...offer.references.flatMap((reference, index) =>
      problemsOf(reference).map(({ field, ...problem }) => ({ path: `references[${index}].${field}`, ...problem }))
    )
  ]
}
