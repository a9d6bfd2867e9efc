/** Offers: the public names of the room. */

export { offerTexts } from "./check/offerTexts.ts"
export * from "./failures.ts"
export { Offer } from "./Offer.ts"
export { OffersRepo, type OfferUser } from "./OffersRepo.ts"
