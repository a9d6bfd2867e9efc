/** The commands for offers. */
import { CheckOffer } from "./commands/CheckOffer.ts"
import { CreateOffer } from "./commands/CreateOffer.ts"
import { DeleteOffer } from "./commands/DeleteOffer.ts"
import { GetOffer } from "./commands/GetOffer.ts"
import { ListOffers } from "./commands/ListOffers.ts"
import { PublishOffer } from "./commands/PublishOffer.ts"
import { UpdateOffer } from "./commands/UpdateOffer.ts"

/** The commands of this domain. */
export const commands = [CreateOffer, GetOffer, ListOffers, UpdateOffer, PublishOffer, DeleteOffer, CheckOffer] as const
