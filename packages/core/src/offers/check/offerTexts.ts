/** The texts of an offer with their paths, in display order. Paths use the field names of commands. */
import type { OfferContent } from "../Offer.ts"

/** A text and its path. */
export interface OfferText {
  readonly path: string
  readonly text: string
}

const at = (prefix: string, fields: Readonly<Record<string, string | null>>): ReadonlyArray<OfferText> =>
  Object.entries(fields).flatMap(([name, text]) => (text === null ? [] : [{ path: `${prefix}${name}`, text }]))

/** The parts of an offer with texts. */
type OfferWords = Pick<
  OfferContent,
  | "name"
  | "oneLiner"
  | "valueProposition"
  | "description"
  | "references"
  | "problemSolutions"
  | "differentiators"
  | "resources"
>

/** All texts except URLs. */
export const textsOf = (offer: OfferWords): ReadonlyArray<OfferText> => [
  ...at("", {
    name: offer.name,
    one_liner: offer.oneLiner,
    value_proposition: offer.valueProposition,
    description: offer.description
  }),
  ...offer.references.flatMap(({ author, company, content, keyResult, source, title }, index) =>
    at(`references[${index}].`, { title, content, author, company, key_result: keyResult, source })
  ),
  ...offer.problemSolutions.flatMap((item, index) => at(`problem_solutions[${index}].`, item)),
  ...offer.differentiators.flatMap((item, index) => at(`differentiators[${index}].`, item)),
  ...offer.resources.flatMap(({ description, title }, index) => at(`resources[${index}].`, { title, description }))
]

/** All URLs. */
export const addressesOf = (offer: OfferContent): ReadonlyArray<OfferText> => [
  ...at("", { landing_page_url: offer.landingPageUrl, sales_brief_url: offer.salesBriefUrl }),
  ...offer.references.flatMap(({ url }, index) => at(`references[${index}].`, { url })),
  ...offer.resources.flatMap(({ url }, index) => at(`resources[${index}].`, { url }))
]

/** {@link textsOf} without paths. */
export const offerTexts = (offer: OfferWords): ReadonlyArray<string> => textsOf(offer).map(({ text }) => text)
