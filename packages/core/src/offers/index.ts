/** Offers: what other parts of core may use. */
import { CheckOffer } from "./commands/CheckOffer.ts"
import { CreateOffer } from "./commands/CreateOffer.ts"
import { DeleteOffer } from "./commands/DeleteOffer.ts"
import { GetOffer } from "./commands/GetOffer.ts"
import { ListOffers } from "./commands/ListOffers.ts"
import { PublishOffer } from "./commands/PublishOffer.ts"
import { UpdateOffer } from "./commands/UpdateOffer.ts"

export { offerTexts } from "./check/offerTexts.ts"
export { Offer } from "./Offer.ts"
export { OfferIdText } from "./OfferInput.ts"
export { OffersRepo } from "./OffersRepo.ts"
export { restCommands } from "./rest.ts"
export { getOffer, holdOffer } from "./writeOffer.ts"

/** The commands of this domain. */
export const commands = [CreateOffer, GetOffer, ListOffers, UpdateOffer, PublishOffer, DeleteOffer, CheckOffer] as const
