import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { compactOne } from "../compactOffer.ts"
import { publishOffer } from "../endOffer.ts"
import { Offer } from "../Offer.ts"
import { OfferIdText } from "../OfferInput.ts"

/** `offer.publish`: makes a draft an offer that is ready to be used. */
export const PublishOffer = Command.make({
  id: "offer.publish",
  title: "Publish an offer",
  summary: "Make a draft offer ready to be used, unless something is missing.",
  description:
    "Checks the offer as offer.check does. When a part is missing or broken the offer stays a draft, and the refusal lists " +
    "every such part and the weak ones; otherwise it is published, with a warning for each weak part. An offer that is " +
    "published already stays as it is.",
  whenToUse: "When a draft is complete and missions may build on it.",
  category: "offers",
  risk: "mutate",
  scope: "offers:write",
  input: Schema.Struct({ offer_id: OfferIdText.annotate({ description: "Id of the offer" }) }),
  output: Schema.Struct({ offer: Offer }),
  riskNotes: ["Changes only whether the offer is a draft; sends nothing."],
  outputNotes: ["The offer as stored, isDraft false.", "Warnings name parts that are weak."],
  relatedCommands: ["offer.check", "offer.update", "offer.get"],
  relatedResources: ["svc://offers/{id}"],
  examples: [{ title: "The sample offer, which is published", input: { offer_id: "sample-offer" } }],
  compact: compactOne,
  run: Effect.fnUntraced(function* ({ offer_id }) {
    return { offer: yield* publishOffer(offer_id) }
  })
})
