import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { DuplicateId } from "../../kernel/failure/failures.ts"
import { compactOne } from "../compactOffer.ts"
import { Offer } from "../Offer.ts"
import { isDraftField, OfferIdText, offerFields } from "../OfferInput.ts"
import { createOffer } from "../writeOffer.ts"

const example = {
  name: "Invoice automation",
  one_liner: "Invoices that book themselves",
  value_proposition: "Finance teams close the month four days earlier.",
  references: [{ type: "CASE_STUDY", content: "Acme closed in two days instead of six.", company: "Acme" }]
}

/** `offer.create`: creates an offer. */
export const CreateOffer = Command.make({
  id: "offer.create",
  title: "Create an offer",
  summary: "Create an offer",
  description:
    "Creates an offer from a name, one sentence and the customer's benefit, with proof, solved problems, " +
    "differentiators and resources. With your own offer_id the call is repeatable: the same content returns the " +
    "existing offer.",
  whenToUse: "Before a mission that sells something new. Check offer.list first.",
  category: "offers",
  risk: "mutate",
  scope: "offers:write",
  unlisted: [
    "sales_brief_url",
    "resources",
    "references.job_title",
    "references.company_location",
    "references.company_size",
    "references.source",
    "references.published_at",
    "references.tags",
    "references.metadata"
  ],
  input: Schema.Struct({
    offer_id: Schema.optionalKey(OfferIdText.annotate({ description: "Your own id. It makes the call repeatable" })),
    ...offerFields,
    is_draft: isDraftField
  }),
  output: Schema.Struct({ offer: Offer }),
  failures: [DuplicateId],
  riskNotes: ["Creates one offer; sends nothing."],
  outputNotes: ["The stored offer, with its id."],
  relatedCommands: ["offer.list", "offer.update", "mission.create"],
  relatedResources: ["svc://offers/{id}", "svc://status"],
  examples: [
    { title: "An offer with one reference", input: example },
    { title: "An unfinished offer", input: { name: "Idea for spring", is_draft: true } }
  ],
  compact: compactOne,
  run: ({ offer_id, ...write }) => Effect.map(createOffer(write, offer_id), (offer) => ({ offer }))
})
