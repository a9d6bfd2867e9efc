/** The compact profile of an offer: three references, their text cut at 280 characters. Source: gap decision G23. */
import { shorten, shortLength } from "../shorten.ts"
import type { Offer } from "./Offer.ts"

const kept = 3

/** The offer with fewer and shorter references, and what was left out. */
export const compactOffer = (offer: Offer): { readonly output: Offer; readonly warnings: ReadonlyArray<string> } => {
  const references = offer.references.slice(0, kept).map((reference) => ({
    ...reference,
    content: shorten(reference.content),
    metadata: null
  }))
  const cut = offer.references.length > kept || offer.references.some(({ content }) => content.length > shortLength)
  return {
    output: { ...offer, references },
    warnings: cut ? [`compact: the references of offer ${offer.id} are shortened; ask for response_profile full`] : []
  }
}

/** {@link compactOffer} for an output that holds one offer. */
export const compactOne = ({ offer }: { readonly offer: Offer }) => {
  const { output, warnings } = compactOffer(offer)
  return { output: { offer: output }, warnings }
}

/** {@link compactOffer} for a page of offers, however the surface spells the cursor. */
export const compactOffers = <P extends { readonly offers: ReadonlyArray<Offer> }>(page: P) => {
  const offers = page.offers.map(compactOffer)
  return {
    output: { ...page, offers: offers.map(({ output }) => output) },
    warnings: offers.flatMap(({ warnings }) => warnings)
  }
}
