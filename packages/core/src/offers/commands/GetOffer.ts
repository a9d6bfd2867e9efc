import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { compactOne } from "../compactOffer.ts"
import { Offer } from "../Offer.ts"
import { OfferIdText } from "../OfferInput.ts"
import { getOffer } from "../writeOffer.ts"

/** `offer.get`: reads one offer. */
export const GetOffer = Command.make({
  id: "offer.get",
  title: "Read an offer",
  summary: "Read one offer by its id.",
  description: "Answers the whole offer with its proof, solved problems, differentiators and material.",
  whenToUse: "Before writing a message that must rest on what the offer really says.",
  category: "offers",
  risk: "read",
  scope: "offers:read",
  input: Schema.Struct({ offer_id: OfferIdText.annotate({ description: "Id of the offer" }) }),
  output: Schema.Struct({ offer: Offer }),
  relatedCommands: ["offer.list", "offer.update"],
  relatedResources: ["svc://offers/{id}"],
  examples: [{ title: "The sample offer", input: { offer_id: "sample-offer" } }],
  compact: compactOne,
  run: Effect.fnUntraced(function* ({ offer_id }) {
    return { offer: yield* getOffer(offer_id) }
  })
})
