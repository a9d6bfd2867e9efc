/** Offers: the public names of the room. */

export { offerTexts } from "./check/offerTexts.ts"
export * from "./failures.ts"
export { Offer, OffersRepo, type OfferUser } from "./Offer.ts"
