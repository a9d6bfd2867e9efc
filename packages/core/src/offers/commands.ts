/** The commands for offers. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../kernel/command/Command.ts"
import { DuplicateId, InvalidCursor, InvalidInput, NotFound, WrongState } from "../kernel/failure/failures.ts"
import { Finding } from "../kernel/schema/Finding.ts"
import { plainOf } from "../kernel/schema/Json.ts"
import { NextCursor, pageFields, readPage } from "../kernel/schema/Page.ts"
import { line } from "../kernel/schema/TextFields.ts"
import { checkOffer } from "./check/checkOffer.ts"
import { OfferInUse } from "./failures.ts"
import { compactOffers, compactOne, Offer, OffersRepo } from "./Offer.ts"
import { applyWrite, emptyContent, isDraftField, OfferIdText, offerFields } from "./OfferInput.ts"
import { createOffer, deleteOffer, getOffer, publishOffer, resolveNameAlias, updateOffer } from "./writeOffer.ts"

const example = {
  name: "Invoice automation",
  one_liner: "Invoices that book themselves",
  value_proposition: "Finance teams close the month four days earlier.",
  references: [{ type: "CASE_STUDY", content: "Acme closed in two days instead of six.", company: "Acme" }]
}

/** `offer.check`: reviews an offer as a sceptical prospect would. */
const CheckOffer = Command.make({
  id: "offer.check",
  title: "Check an offer",
  summary: "Find missing proof, vague claims and dead links",
  description:
    "Reviews a stored offer, or the texts of a new one, as a sceptical prospect would. Each finding names the field, " +
    "its severity and what to do. offer_id plus further fields checks the offer as it would be after that change. " +
    "The rules are fixed: the same texts give the same findings, and no external service is called.",
  whenToUse:
    "Before offer.create, offer.publish or the first mission with an offer; findings of severity error prevent " +
    "publishing.",
  risk: "read",
  scope: "offers:read",
  input: Schema.Struct({
    offer_id: Schema.optionalKey(OfferIdText.annotate({ description: "Id of a stored offer" })),
    ...offerFields,
    is_draft: Schema.optionalKey(
      Schema.Boolean.annotate({ description: "Accepted as in offer.create; does not affect the findings" })
    )
  }),
  output: Schema.Struct({
    score: Schema.Int.annotate({ description: "0 to 100; 100 without findings" }),
    findings: Schema.Array(Finding).annotate({ description: "Most severe first, at most 100" })
  }),
  failures: [NotFound],
  outputNotes: ["error: do not use as is; warning: weak; info: could be better."],
  relatedCommands: ["offer.publish", "offer.update", "offer.create"],
  relatedResources: ["svc://offers/{id}"],
  examples: [
    { title: "The sample offer", input: { offer_id: "sample-offer" } },
    { title: "A new offer", input: example }
  ],
  run: Effect.fnUntraced(function* ({ offer_id, ...input }) {
    if (offer_id === undefined && Object.keys(input).every((name) => name === "is_draft")) {
      return yield* new InvalidInput({ message: "offer_id or the texts of an offer are required. Send one of them." })
    }
    const write = yield* Effect.fromResult(resolveNameAlias(input))
    const before = offer_id === undefined ? emptyContent : yield* getOffer(offer_id)
    return checkOffer(applyWrite(before, write))
  })
})

/** What commands that return one offer have in common. */
const ofOneOffer = {
  scope: "offers:write",
  input: Schema.Struct({ offer_id: OfferIdText.annotate({ description: "Id of the offer" }) }),
  output: Schema.Struct({ offer: Offer }),
  failures: [NotFound],
  relatedResources: ["svc://offers/{id}"],
  compact: compactOne
} as const

/** `offer.create`: creates an offer. */
const CreateOffer = Command.make({
  id: "offer.create",
  title: "Create an offer",
  summary: "Create an offer",
  description:
    "Creates an offer from a name, one sentence and the customer's benefit, with proof, solved problems, " +
    "differentiators and resources. With your own offer_id the call is repeatable: the same content returns the " +
    "existing offer.",
  whenToUse: "Before a mission that sells something new. Check offer.list first.",
  ...ofOneOffer,
  risk: "mutate",
  annotations: {
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
    ]
  },
  input: Schema.Struct({
    offer_id: Schema.optionalKey(OfferIdText.annotate({ description: "Your own id. It makes the call repeatable" })),
    ...offerFields,
    is_draft: isDraftField
  }),
  failures: [DuplicateId],
  riskNotes: ["Creates one offer; sends nothing."],
  outputNotes: ["The stored offer, with its id."],
  relatedCommands: ["offer.list", "offer.update", "mission.create"],
  relatedResources: ["svc://offers/{id}", "svc://status"],
  examples: [
    { title: "An offer with one reference", input: example },
    { title: "An unfinished offer", input: { name: "Idea for spring", is_draft: true } }
  ],
  run: ({ offer_id, ...write }) => Effect.map(createOffer(write, offer_id), (offer) => ({ offer }))
})

/** `offer.delete`: deletes an offer that no mission uses. */
const DeleteOffer = Command.make({
  id: "offer.delete",
  title: "Delete an offer",
  summary: "Delete an offer that no mission uses",
  description:
    "Deletes an offer. Fails with OFFER_IN_USE while a mission that is not archived uses it; archived missions stay, " +
    "without an offer. Existing drafts and messages keep their text.",
  whenToUse: "When an offer was a mistake or is no longer sold. To remove it from one mission, use mission.update.",
  risk: "approval",
  scope: "offers:write",
  input: ofOneOffer.input,
  output: Schema.Struct({ offer_id: Schema.String }),
  failures: [NotFound, OfferInUse],
  riskNotes: ["Cannot be undone; restored missions do not get the offer back."],
  outputNotes: ["A warning counts the archived missions that were unlinked."],
  relatedCommands: ["offer.list", "mission.list", "mission.update"],
  relatedResources: ["svc://offers"],
  examples: [{ title: "An abandoned idea", input: { offer_id: "sample-idea" } }],
  run: ({ offer_id }) => Effect.map(deleteOffer(offer_id), (id) => ({ offer_id: id }))
})

/** `offer.get`: reads one offer. */
export const GetOffer = Command.make({
  id: "offer.get",
  title: "Get an offer",
  summary: "Get an offer by its id",
  description: "Returns the offer with its proof, solved problems, differentiators and resources.",
  whenToUse: "Before writing a message that must match what the offer says.",
  ...ofOneOffer,
  risk: "read",
  scope: "offers:read",
  relatedCommands: ["offer.list", "offer.update"],
  examples: [{ title: "The sample offer", input: { offer_id: "sample-offer" } }],
  run: ({ offer_id }) => Effect.map(getOffer(offer_id), (offer) => ({ offer }))
})

/** `offer.list`: reads offers, newest first. */
export const ListOffers = Command.make({
  id: "offer.list",
  title: "List offers",
  summary: "List offers, newest first",
  description: "Returns a page of offers. Pass next_cursor as cursor for the next page; it is null on the last page.",
  whenToUse: "To find an offer for a mission, and before creating one.",
  risk: "read",
  scope: "offers:read",
  input: Schema.Struct({
    query: Schema.optionalKey(line(200, "Part of the name or the one-liner. Case is ignored")),
    is_draft: Schema.optionalKey(
      Schema.Boolean.annotate({ description: "Only unfinished offers. False for published ones" })
    ),
    ...pageFields
  }),
  output: Schema.Struct({ offers: Schema.Array(Offer), next_cursor: NextCursor }),
  failures: [InvalidCursor],
  relatedCommands: ["offer.get", "offer.create"],
  relatedResources: ["svc://offers"],
  examples: [{ title: "The newest ten", input: { limit: 10 } }],
  compact: compactOffers,
  run: Effect.fnUntraced(function* (input) {
    const repo = yield* OffersRepo
    const filter = { query: input.query, isDraft: input.is_draft }
    const { items: offers, next_cursor } = yield* readPage("offers", input, repo.list, filter)
    return { offers, next_cursor }
  }),
  show: ({ next_cursor, offers }) => ({ offers: offers.map(plainOf), next_cursor })
})

/** `offer.publish`: publishes a draft offer. */
const PublishOffer = Command.make({
  id: "offer.publish",
  title: "Publish an offer",
  summary: "Publish a draft offer if nothing is missing",
  description:
    "Checks the offer like offer.check. If a part is missing or invalid, the offer stays a draft and the error lists " +
    "all of these parts and the weak ones; otherwise it is published, with a warning for each weak part. A published " +
    "offer stays as it is.",
  whenToUse: "When a draft is complete and missions may use it.",
  ...ofOneOffer,
  risk: "mutate",
  failures: [NotFound, WrongState],
  riskNotes: ["Only publishes the offer; sends nothing."],
  outputNotes: ["The stored offer, isDraft false.", "Warnings name weak parts."],
  relatedCommands: ["offer.check", "offer.update", "offer.get"],
  examples: [{ title: "The sample offer, already published", input: { offer_id: "sample-offer" } }],
  run: ({ offer_id }) => Effect.map(publishOffer(offer_id), (offer) => ({ offer }))
})

/** `offer.update`: updates an offer. */
const UpdateOffer = Command.make({
  id: "offer.update",
  title: "Update an offer",
  summary: "Update an offer",
  description:
    "Changes the fields you send and keeps the others. Arrays are replaced; null clears an optional field. Sending " +
    "stored values again changes nothing.",
  whenToUse: "When an offer's proof, wording or resources change.",
  ...ofOneOffer,
  risk: "mutate",
  input: Schema.Struct({
    offer_id: OfferIdText.annotate({ description: "Id of the offer" }),
    ...offerFields,
    is_draft: Schema.optionalKey(Schema.Boolean.annotate({ description: "False when the offer is ready for use" }))
  }),
  riskNotes: ["Changes one offer; existing drafts keep their text."],
  relatedCommands: ["offer.get", "offer.create"],
  examples: [
    { title: "A better one-liner", input: { offer_id: "sample-offer", one_liner: "Invoices book themselves" } }
  ],
  run: ({ offer_id, ...write }) => Effect.map(updateOffer(offer_id, write), (offer) => ({ offer }))
})

/** The commands of this domain. */
export const commands = [CreateOffer, GetOffer, ListOffers, UpdateOffer, PublishOffer, DeleteOffer, CheckOffer] as const
