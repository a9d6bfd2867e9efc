import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { OfferInUse } from "../failures.ts"
import { OfferIdText } from "../OfferInput.ts"
import { deleteOffer } from "../offerLifecycle.ts"

/** `offer.delete`: deletes an offer that no mission uses. */
export const DeleteOffer = Command.make({
  id: "offer.delete",
  title: "Delete an offer",
  summary: "Delete an offer that no mission uses",
  description:
    "Deletes an offer. Fails with OFFER_IN_USE while a mission that is not archived uses it; archived missions stay, " +
    "without an offer. Existing drafts and messages keep their text.",
  whenToUse: "When an offer was a mistake or is no longer sold. To remove it from one mission, use mission.update.",
  category: "offers",
  risk: "approval",
  scope: "offers:write",
  input: Schema.Struct({ offer_id: OfferIdText.annotate({ description: "Id of the offer" }) }),
  output: Schema.Struct({ offer_id: Schema.String }),
  failures: [NotFound, OfferInUse],
  riskNotes: ["Cannot be undone; restored missions do not get the offer back."],
  outputNotes: ["A warning counts the archived missions that were unlinked."],
  relatedCommands: ["offer.list", "mission.list", "mission.update"],
  relatedResources: ["svc://offers"],
  examples: [{ title: "An abandoned idea", input: { offer_id: "sample-idea" } }],
  run: Effect.fnUntraced(function* ({ offer_id }) {
    return { offer_id: yield* deleteOffer(offer_id) }
  })
})
