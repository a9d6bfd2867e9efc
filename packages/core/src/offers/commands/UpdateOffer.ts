import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { fail } from "../../Failure.ts"
import { compactOne } from "../compactOffer.ts"
import { Offer } from "../Offer.ts"
import { OfferIdText, offerFields, toOfferWrite } from "../OfferInput.ts"
import { commandSpelling, updateOffer } from "../writeOffer.ts"

/** `offer.update`: changes an offer. */
export const UpdateOffer = Command.make({
  id: "offer.update",
  title: "Change an offer",
  summary: "Change any part of an offer.",
  description:
    "Changes the fields that are sent and keeps the others. Arrays replace the stored ones; null clears a field that may " +
    "be empty. Sending what is already stored changes nothing.",
  whenToUse: "When proof, wording or material of an offer changed.",
  category: "offers",
  risk: "mutate",
  scope: "offers:write",
  input: Schema.Struct({
    offer_id: OfferIdText.annotate({ description: "Id of the offer" }),
    ...offerFields,
    is_draft: Schema.optionalKey(Schema.Boolean.annotate({ description: "False when the offer is ready to be used" }))
  }),
  output: Schema.Struct({ offer: Offer }),
  riskNotes: ["Writes one offer; drafts that were written before keep their text."],
  relatedCommands: ["offer.get", "offer.create"],
  relatedResources: ["svc://offers/{id}"],
  examples: [
    { title: "A better sentence", input: { offer_id: "sample-offer", one_liner: "Invoices book themselves" } }
  ],
  compact: compactOne,
  run: Effect.fnUntraced(function* ({ offer_id, ...input }) {
    if (input.name !== undefined && input.offer_name !== undefined && input.name !== input.offer_name) {
      return yield* fail(
        "INVALID_INPUT",
        "name and offer_name are two words for one thing and differ. Send one of them."
      )
    }
    return { offer: yield* updateOffer(offer_id, toOfferWrite(input), commandSpelling) }
  })
})
