/** Estimating how well a lead fits. A host can provide its own scorer. An estimate never overwrites a stored score. */
import * as Context from "effect/Context"
import { estimateParts } from "./estimateParts.ts"
import type { ScoredLead, ScorePart } from "./ScoredLead.ts"

/** Returns the parts of an estimate, whose points add up to 0 to 100. Must be deterministic. */
type Scorer = (lead: ScoredLead) => ReadonlyArray<ScorePart>

export const LeadScorer: Context.Reference<Scorer> = Context.Reference<Scorer>("@svc/core/leads/LeadScorer", {
  defaultValue: () => estimateParts
})
