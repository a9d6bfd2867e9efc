import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { compactOne } from "../compactOffer.ts"
import { Offer } from "../Offer.ts"
import { OfferIdText } from "../OfferInput.ts"
import { publishOffer } from "../offerLifecycle.ts"

/** `offer.publish`: publishes a draft offer. */
export const PublishOffer = Command.make({
  id: "offer.publish",
  title: "Publish an offer",
  summary: "Publish a draft offer if nothing is missing",
  description:
    "Checks the offer like offer.check. If a part is missing or invalid, the offer stays a draft and the error lists " +
    "all of these parts and the weak ones; otherwise it is published, with a warning for each weak part. A published " +
    "offer stays as it is.",
  whenToUse: "When a draft is complete and missions may use it.",
  category: "offers",
  risk: "mutate",
  scope: "offers:write",
  input: Schema.Struct({ offer_id: OfferIdText.annotate({ description: "Id of the offer" }) }),
  output: Schema.Struct({ offer: Offer }),
  failures: [NotFound, WrongState],
  riskNotes: ["Only publishes the offer; sends nothing."],
  outputNotes: ["The stored offer, isDraft false.", "Warnings name weak parts."],
  relatedCommands: ["offer.check", "offer.update", "offer.get"],
  relatedResources: ["svc://offers/{id}"],
  examples: [{ title: "The sample offer, already published", input: { offer_id: "sample-offer" } }],
  compact: compactOne,
  run: Effect.fnUntraced(function* ({ offer_id }) {
    return { offer: yield* publishOffer(offer_id) }
  })
})
