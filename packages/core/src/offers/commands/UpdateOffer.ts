import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { compactOne } from "../compactOffer.ts"
import { Offer } from "../Offer.ts"
import { OfferIdText, offerFields } from "../OfferInput.ts"
import { updateOffer } from "../writeOffer.ts"

/** `offer.update`: updates an offer. */
export const UpdateOffer = Command.make({
  id: "offer.update",
  title: "Update an offer",
  summary: "Update an offer",
  description:
    "Changes the fields you send and keeps the others. Arrays are replaced; null clears an optional field. Sending " +
    "stored values again changes nothing.",
  whenToUse: "When an offer's proof, wording or resources change.",
  category: "offers",
  risk: "mutate",
  scope: "offers:write",
  input: Schema.Struct({
    offer_id: OfferIdText.annotate({ description: "Id of the offer" }),
    ...offerFields,
    is_draft: Schema.optionalKey(Schema.Boolean.annotate({ description: "False when the offer is ready for use" }))
  }),
  output: Schema.Struct({ offer: Offer }),
  failures: [NotFound],
  riskNotes: ["Changes one offer; existing drafts keep their text."],
  relatedCommands: ["offer.get", "offer.create"],
  relatedResources: ["svc://offers/{id}"],
  examples: [
    { title: "A better one-liner", input: { offer_id: "sample-offer", one_liner: "Invoices book themselves" } }
  ],
  compact: compactOne,
  run: ({ offer_id, ...write }) => Effect.map(updateOffer(offer_id, write), (offer) => ({ offer }))
})
