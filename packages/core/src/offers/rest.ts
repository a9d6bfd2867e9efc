/** The camelCase representation of offers behind the REST endpoints. Source: spec "Offers"; G28 and G30. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../Actor.ts"
import * as Command from "../Command.ts"
import { IfMatch, requireMatch } from "../Etag.ts"
import { CursorText, Limit, NextCursor, readPage } from "../Page.ts"
import { compactOffers, compactOne } from "./compactOffer.ts"
import { deleteOffer } from "./endOffer.ts"
import { Offer } from "./Offer.ts"
import { offerRestFields } from "./OfferInput.ts"
import { OffersRepo } from "./OffersRepo.ts"
import { createOffer, getOffer, restSpelling, updateOffer } from "./writeOffer.ts"

const OneOffer = Schema.Struct({ offer: Offer })

const ListOffers = Command.make({
  id: "rest.offers.list",
  title: "List offers",
  summary: "Offers of the organization, newest first.",
  description: "A page of offers. Pass nextCursor as cursor for the next page; it is null on the last one.",
  whenToUse: "To show or synchronise offers.",
  category: "offers",
  risk: "read",
  visibility: "internal",
  scope: "offers:read",
  input: Schema.Struct({ cursor: CursorText, limit: Limit }),
  output: Schema.Struct({ offers: Schema.Array(Offer), nextCursor: NextCursor }),
  examples: [{ title: "The newest ten", input: { limit: 10 } }],
  compact: compactOffers,
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const repo = yield* OffersRepo
    const all = { query: undefined, isDraft: undefined }
    const page = yield* readPage(organizationId, "rest.offers", input, (request) =>
      repo.list(organizationId, all, request)
    )
    return { offers: page.items, nextCursor: page.nextCursor }
  })
})

const CreateOffer = Command.make({
  id: "rest.offers.create",
  title: "Create an offer",
  summary: "Store a new offer.",
  description: "Creates an offer from name, oneLiner and valueProposition; a draft (isDraft true) needs its name only.",
  whenToUse: "To add an offer from another system.",
  category: "offers",
  risk: "mutate",
  visibility: "internal",
  scope: "offers:write",
  input: Schema.Struct(offerRestFields),
  output: OneOffer,
  examples: [
    {
      title: "The three required texts",
      input: { name: "Audit", oneLiner: "A day with your books", valueProposition: "Find what leaks." }
    }
  ],
  compact: compactOne,
  run: Effect.fnUntraced(function* (input) {
    return { offer: yield* createOffer(input, restSpelling) }
  })
})

const offerIdParam = Schema.String.annotate({ description: "Id of the offer" })

const GetOffer = Command.make({
  id: "rest.offers.get",
  title: "Read an offer",
  summary: "Read one offer by its id.",
  description: "Answers the whole offer with its proof, solved problems, differentiators and material.",
  whenToUse: "To show or synchronise an offer.",
  category: "offers",
  risk: "read",
  visibility: "internal",
  scope: "offers:read",
  input: Schema.Struct({ offerId: offerIdParam }),
  output: OneOffer,
  relatedCommands: ["offer.get"],
  examples: [{ title: "The sample offer", input: { offerId: "sample-offer" } }],
  compact: compactOne,
  run: Effect.fnUntraced(function* ({ offerId }) {
    return { offer: yield* getOffer(offerId) }
  })
})

const DeleteOffer = Command.make({
  id: "rest.offers.delete",
  title: "Delete an offer",
  summary: "Delete an offer for good, unless a mission that is not archived proposes it.",
  description: "Deletes the offer; archived missions that link it propose nothing from then on.",
  whenToUse: "When an offer was removed in another system.",
  category: "offers",
  risk: "approval",
  visibility: "internal",
  scope: "offers:write",
  input: Schema.Struct({ offerId: offerIdParam, ifMatch: IfMatch }),
  output: Schema.Struct({ id: Schema.String }),
  relatedCommands: ["offer.delete"],
  examples: [{ title: "An idea that came to nothing", input: { offerId: "sample-idea" } }],
  run: Effect.fnUntraced(function* ({ ifMatch, offerId }) {
    yield* requireMatch(ifMatch, ifMatch === undefined ? undefined : yield* getOffer(offerId))
    return { id: yield* deleteOffer(offerId) }
  })
})

const UpdateOffer = Command.make({
  id: "rest.offers.update",
  title: "Change an offer",
  summary: "Change any part of an offer.",
  description: "Changes the fields that are sent. Arrays replace; null clears a field that may be empty.",
  whenToUse: "When an offer changed in another system.",
  category: "offers",
  risk: "mutate",
  visibility: "internal",
  scope: "offers:write",
  input: Schema.Struct({
    offerId: offerIdParam,
    ifMatch: IfMatch,
    ...offerRestFields
  }),
  output: OneOffer,
  examples: [{ title: "A new name", input: { offerId: "sample-offer", name: "Invoice automation 2" } }],
  compact: compactOne,
  run: Effect.fnUntraced(function* ({ ifMatch, offerId, ...write }) {
    yield* requireMatch(ifMatch, ifMatch === undefined ? undefined : yield* getOffer(offerId))
    return { offer: yield* updateOffer(offerId, write, restSpelling) }
  })
})

/** The commands behind the REST endpoints of offers. */
export const restCommands = [ListOffers, CreateOffer, GetOffer, UpdateOffer, DeleteOffer] as const
