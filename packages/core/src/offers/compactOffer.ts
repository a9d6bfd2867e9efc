/** The compact profile of an offer: three references, their text cut at 280 characters. */
import { compactField, compactItems } from "../kernel/schema/compact.ts"
import { shorten, shortLength } from "../kernel/schema/shorten.ts"
import type { Offer } from "./Offer.ts"

const kept = 3

/** The offer with fewer and shorter references, and a warning if any were cut. */
const compactOffer = (offer: Offer): { readonly output: Offer; readonly warnings: ReadonlyArray<string> } => {
  const references = offer.references.slice(0, kept).map((reference) => ({
    ...reference,
    content: shorten(reference.content),
    metadata: null
  }))
  const cut = offer.references.length > kept || offer.references.some(({ content }) => content.length > shortLength)
  return {
    output: { ...offer, references },
    warnings: cut
      ? [`compact: the references of offer ${offer.id} are shortened; use response_profile full for all`]
      : []
  }
}

/** {@link compactOffer} for an output with one offer. */
export const compactOne = compactField("offer", compactOffer)

/** {@link compactOffer} for a page of offers. */
export const compactOffers = compactItems("offers", compactOffer)
