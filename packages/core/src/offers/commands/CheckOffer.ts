import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidInput, NotFound } from "../../kernel/failure/failures.ts"
import { Finding } from "../../kernel/schema/Finding.ts"
import { checkOffer } from "../check/checkOffer.ts"
import { applyWrite, emptyContent, OfferIdText, offerFields } from "../OfferInput.ts"
import { getOffer, resolveNameAlias } from "../writeOffer.ts"

/** `offer.check`: reviews an offer as a sceptical prospect would. */
export const CheckOffer = Command.make({
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
  category: "offers",
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
    {
      title: "A new offer",
      input: {
        name: "Invoice automation",
        one_liner: "The leading provider of seamless invoicing",
        value_proposition: "Save {{hours}} hours a month"
      }
    }
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
