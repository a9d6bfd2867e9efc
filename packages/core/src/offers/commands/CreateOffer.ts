import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { fail } from "../../Failure.ts"
import { compactOne } from "../compactOffer.ts"
import { Offer } from "../Offer.ts"
import { isDraftField, OfferIdText, offerFields, toOfferWrite } from "../OfferInput.ts"
import { commandSpelling, createOffer } from "../writeOffer.ts"

const example = {
  name: "Invoice automation",
  one_liner: "Invoices that book themselves",
  value_proposition: "Finance teams close the month four days earlier.",
  references: [{ type: "CASE_STUDY", content: "Acme closed in two days instead of six.", company: "Acme" }]
}

/** `offer.create`: stores a new offer. */
export const CreateOffer = Command.make({
  id: "offer.create",
  title: "Create an offer",
  summary: "Store a commercial proposition that missions can build on.",
  description:
    "Creates an offer from a name, one sentence and what the customer gains, with proof, solved problems, differentiators " +
    "and material. With your own offer_id the call can be repeated: the same content answers the offer that exists.",
  whenToUse: "Before a mission that sells something not stored yet. Look with offer.list first.",
  category: "offers",
  risk: "mutate",
  scope: "offers:write",
  input: Schema.Struct({
    offer_id: Schema.optionalKey(OfferIdText.annotate({ description: "Your own id for it, for repeatable creation" })),
    ...offerFields,
    is_draft: isDraftField
  }),
  output: Schema.Struct({ offer: Offer }),
  riskNotes: ["Writes one offer; sends nothing."],
  outputNotes: ["The whole offer as stored, with its id."],
  relatedCommands: ["offer.list", "offer.update", "mission.create"],
  relatedResources: ["svc://offers/{id}", "svc://status"],
  examples: [
    { title: "An offer with one proof", input: example },
    { title: "An unfinished offer", input: { name: "Idea for spring", is_draft: true } }
  ],
  compact: compactOne,
  run: Effect.fnUntraced(function* ({ offer_id, ...input }) {
    if (input.name !== undefined && input.offer_name !== undefined && input.name !== input.offer_name) {
      return yield* fail(
        "INVALID_INPUT",
        "name and offer_name are two words for one thing and differ. Send one of them."
      )
    }
    return { offer: yield* createOffer(toOfferWrite(input), commandSpelling, offer_id) }
  })
})
