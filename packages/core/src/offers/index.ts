/** Offers: what other parts of core may use. */
import { CreateOffer } from "./commands/CreateOffer.ts"
import { GetOffer } from "./commands/GetOffer.ts"
import { ListOffers } from "./commands/ListOffers.ts"
import { UpdateOffer } from "./commands/UpdateOffer.ts"

export { Offer } from "./Offer.ts"
export { OfferIdText } from "./OfferInput.ts"
export { OffersRepo } from "./OffersRepo.ts"
export { restCommands } from "./rest.ts"
export { getOffer } from "./writeOffer.ts"

/** The commands of this domain. */
export const commands = [CreateOffer, GetOffer, ListOffers, UpdateOffer] as const
