import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../kernel/command/Actor.ts"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { OffersRepo } from "../../offers/OffersRepo.ts"
import { lookupFailures } from "../failures.ts"
import { readLead } from "../findLead.ts"
import { contentOf } from "../Lead.ts"
import { leadIdField } from "../LeadInput.ts"
import { LeadScorer } from "../score/LeadScorer.ts"

/** `lead.score.explain`: explains how well a lead fits. */
export const ExplainScore = Command.make({
  id: "lead.score.explain",
  title: "Explain a lead's score",
  summary: "Compare a lead's score with an explained estimate",
  description:
    "Returns the stored score and an estimate based on known data: completeness of the profile, seniority, activity " +
    "and, for an offer, fit. The parts add up to the estimate. The same data always gives the same estimate, and " +
    "nothing is saved.",
  whenToUse: "To decide who to write to first, or what to find out before; save your own score with lead.upsert.",
  category: "leads",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct({
    lead_id: leadIdField,
    offer_id: Schema.optionalKey(nonEmptyLine(64, "Id of an offer to compare the lead with"))
  }),
  output: Schema.Struct({
    lead_id: Schema.String,
    score: Schema.Finite.annotate({ description: "The stored score; 0 when the lead has none" }),
    estimate: Schema.Finite.annotate({ description: "0 to 100: the sum of the parts" }),
    parts: Schema.Array(
      Schema.Struct({
        name: Schema.String,
        points: Schema.Finite,
        most: Schema.Finite.annotate({ description: "Maximum points for this part" }),
        why: Schema.String
      })
    )
  }),
  failures: lookupFailures,
  relatedCommands: ["lead.upsert", "lead.get", "lead.search"],
  relatedResources: ["svc://prospects/{id}", "svc://offers/{id}"],
  examples: [
    {
      title: "Fit to an offer",
      input: { lead_id: "ld_SAMPLE00000000000000000001", offer_id: "sample-offer" }
    }
  ],
  run: Effect.fnUntraced(function* ({ lead_id, offer_id }) {
    const { organizationId } = yield* Actor
    const { row } = yield* readLead({ lead_id })
    const offer = offer_id === undefined ? undefined : yield* (yield* OffersRepo).find(organizationId, offer_id)
    if (offer_id !== undefined && offer === undefined) return yield* new NotFound({ kind: "offer", id: offer_id })
    const scorer = yield* LeadScorer
    const parts = scorer({ content: contentOf(row), hasReplied: row.lastInboundAt !== null, offer })
    const estimate = parts.reduce((sum, { points }) => sum + points, 0)
    return { lead_id: row.id, score: row.score, estimate, parts }
  })
})
