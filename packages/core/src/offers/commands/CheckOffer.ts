import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { fail } from "../../Failure.ts"
import { Finding } from "../../Finding.ts"
import { checkOffer } from "../check/checkOffer.ts"
import { applyWrite, emptyContent, OfferIdText, offerFields, toOfferWrite } from "../OfferInput.ts"
import { getOffer } from "../writeOffer.ts"

/** `offer.check`: what a sceptical prospect would miss in an offer. */
export const CheckOffer = Command.make({
  id: "offer.check",
  title: "Check an offer",
  summary: "Find missing proof, vague claims, dead addresses and repetitions in an offer.",
  description:
    "Reads a stored offer, or the texts of one that is not stored yet, as a sceptical prospect would. Each finding names " +
    "the field, how much it matters and what to do. offer_id with further fields checks the offer as it would be after that " +
    "change. The rules are fixed: the same texts give the same findings, and nobody outside is asked.",
  whenToUse: "Before offer.create, offer.publish or the first mission with an offer; errors refuse publishing.",
  category: "offers",
  risk: "read",
  scope: "offers:read",
  input: Schema.Struct({
    offer_id: Schema.optionalKey(OfferIdText.annotate({ description: "Id of a stored offer" })),
    ...offerFields,
    is_draft: Schema.optionalKey(
      Schema.Boolean.annotate({ description: "Taken as in offer.create; the findings do not depend on it" })
    )
  }),
  output: Schema.Struct({
    score: Schema.Int.annotate({ description: "0 to 100; 100 when there is nothing to say" }),
    findings: Schema.Array(Finding).annotate({ description: "Worst first, at most 100" })
  }),
  outputNotes: ["error: should not be used so; warning: weak; info: could be better."],
  relatedCommands: ["offer.publish", "offer.update", "offer.create"],
  relatedResources: ["svc://offers/{id}"],
  examples: [
    { title: "The sample offer", input: { offer_id: "sample-offer" } },
    {
      title: "Texts that are not stored yet",
      input: {
        name: "Invoice automation",
        one_liner: "The leading provider of seamless invoicing",
        value_proposition: "Save {{hours}} hours a month"
      }
    }
  ],
  run: Effect.fnUntraced(function* ({ offer_id, ...input }) {
    if (offer_id === undefined && Object.keys(input).every((name) => name === "is_draft")) {
      return yield* fail("INVALID_INPUT", "offer_id or the texts of an offer: one of them is required. Add it.")
    }
    if (input.name !== undefined && input.offer_name !== undefined && input.name !== input.offer_name) {
      return yield* fail(
        "INVALID_INPUT",
        "name and offer_name are two words for one thing and differ. Send one of them."
      )
    }
    const before = offer_id === undefined ? emptyContent : yield* getOffer(offer_id)
    return checkOffer(applyWrite(before, toOfferWrite(input)))
  })
})
