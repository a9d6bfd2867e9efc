import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { deleteOffer } from "../endOffer.ts"
import { OfferIdText } from "../OfferInput.ts"

/** `offer.delete`: deletes an offer that no live mission proposes. */
export const DeleteOffer = Command.make({
  id: "offer.delete",
  title: "Delete an offer",
  summary: "Delete an offer for good, unless a mission that is not archived proposes it.",
  description:
    "Deletes the offer. While a mission that is not archived links it this is refused with OFFER_IN_USE; archived missions " +
    "stay and propose nothing from then on. Drafts and messages that were written keep their text.",
  whenToUse: "When an offer was a mistake or is sold no more. To take it out of one mission, use mission.update.",
  category: "offers",
  risk: "approval",
  scope: "offers:write",
  input: Schema.Struct({ offer_id: OfferIdText.annotate({ description: "Id of the offer" }) }),
  output: Schema.Struct({ offer_id: Schema.String }),
  riskNotes: ["Cannot be undone; restored missions do not get the offer back."],
  outputNotes: ["A warning counts the archived missions that were unlinked."],
  relatedCommands: ["offer.list", "mission.list", "mission.update"],
  relatedResources: ["svc://offers"],
  examples: [{ title: "An idea that came to nothing", input: { offer_id: "sample-idea" } }],
  run: Effect.fnUntraced(function* ({ offer_id }) {
    return { offer_id: yield* deleteOffer(offer_id) }
  })
})
