import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { compactOne } from "../compactOffer.ts"
import { Offer } from "../Offer.ts"
import { OfferIdText } from "../OfferInput.ts"
import { getOffer } from "../writeOffer.ts"

/** `offer.get`: reads one offer. */
export const GetOffer = Command.make({
  id: "offer.get",
  title: "Get an offer",
  summary: "Get an offer by its id",
  description: "Returns the offer with its proof, solved problems, differentiators and resources.",
  whenToUse: "Before writing a message that must match what the offer says.",
  category: "offers",
  risk: "read",
  scope: "offers:read",
  input: Schema.Struct({ offer_id: OfferIdText.annotate({ description: "Id of the offer" }) }),
  output: Schema.Struct({ offer: Offer }),
  failures: [NotFound],
  relatedCommands: ["offer.list", "offer.update"],
  relatedResources: ["svc://offers/{id}"],
  examples: [{ title: "The sample offer", input: { offer_id: "sample-offer" } }],
  compact: compactOne,
  run: Effect.fnUntraced(function* ({ offer_id }) {
    return { offer: yield* getOffer(offer_id) }
  })
})
