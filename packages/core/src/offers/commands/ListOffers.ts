import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../kernel/command/Actor.ts"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidCursor } from "../../kernel/failure/failures.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../kernel/schema/Page.ts"
import { plainOf, type StoredJson } from "../../kernel/schema/StoredJson.ts"
import { line } from "../../kernel/schema/TextFields.ts"
import { compactOffers } from "../compactOffer.ts"
import { Offer } from "../Offer.ts"
import { OffersRepo } from "../OffersRepo.ts"

interface StoredPage {
  readonly offers: ReadonlyArray<Offer | StoredJson<Offer>>
  readonly next_cursor: string | null
}

/** `offer.list`: reads offers, newest first. */
export const ListOffers = Command.make({
  id: "offer.list",
  title: "List offers",
  summary: "List offers, newest first",
  description: "Returns a page of offers. Pass next_cursor as cursor for the next page; it is null on the last page.",
  whenToUse: "To find an offer for a mission, or to check whether one exists before creating it.",
  category: "offers",
  risk: "read",
  scope: "offers:read",
  input: Schema.Struct({
    query: Schema.optionalKey(line(200, "Part of the name or the one-liner. Case is ignored")),
    is_draft: Schema.optionalKey(
      Schema.Boolean.annotate({ description: "Only unfinished offers. False for published ones" })
    ),
    cursor: CursorText,
    limit: Limit
  }),
  output: Schema.Struct({ offers: Schema.Array(Offer), next_cursor: NextCursor }),
  failures: [InvalidCursor],
  relatedCommands: ["offer.get", "offer.create"],
  relatedResources: ["svc://offers"],
  examples: [{ title: "The newest ten", input: { limit: 10 } }],
  compact: compactOffers,
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const repo = yield* OffersRepo
    const filter = { query: input.query, isDraft: input.is_draft }
    const page = yield* readPage(organizationId, "offers", input, (request) =>
      repo.list(organizationId, filter, request)
    )
    return { offers: page.items, next_cursor: page.nextCursor }
  }),
  isWritten: true,
  show: ({ next_cursor, offers }: StoredPage) => ({ offers: offers.map(plainOf), next_cursor })
})
