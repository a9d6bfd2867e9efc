import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { notFound } from "../../Failure.ts"
import { OffersRepo } from "../../offers/OffersRepo.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { readLead } from "../findLead.ts"
import { contentOf } from "../Lead.ts"
import { leadIdField } from "../LeadInput.ts"
import { LeadScorer } from "../score/LeadScorer.ts"

/** `lead.score.explain`: says how well a lead fits, and why. */
export const ExplainScore = Command.make({
  id: "lead.score.explain",
  title: "Explain a lead's score",
  summary: "See the score of a lead beside an estimate that explains itself.",
  description:
    "Answers the score that is stored and an estimate from what is known: how complete it is, how high the job stands, how " +
    "active the person is and, for an offer, how well they fit it. The parts add up to the estimate. The same data always " +
    "gives the same estimate, and nothing is written.",
  whenToUse:
    "To decide whom to write to first, or what to find out before; store what you make of it with lead.upsert.",
  category: "leads",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct({
    lead_id: leadIdField,
    offer_id: Schema.optionalKey(nonEmptyLine(64, "Id of an offer that the lead should fit"))
  }),
  output: Schema.Struct({
    lead_id: Schema.String,
    score: Schema.Finite.annotate({ description: "The score that is stored; 0 when nobody scored the lead" }),
    estimate: Schema.Finite.annotate({ description: "0 to 100: the sum of the parts" }),
    parts: Schema.Array(
      Schema.Struct({
        name: Schema.String,
        points: Schema.Finite,
        most: Schema.Finite.annotate({ description: "Most points that this part gives" }),
        why: Schema.String
      })
    )
  }),
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
    if (offer_id !== undefined && offer === undefined) return yield* notFound("offer", offer_id)
    const scorer = yield* LeadScorer
    const parts = scorer({ content: contentOf(row), hasReplied: row.lastInboundAt !== null, offer })
    const estimate = parts.reduce((sum, { points }) => sum + points, 0)
    return { lead_id: row.id, score: row.score, estimate, parts }
  })
})
