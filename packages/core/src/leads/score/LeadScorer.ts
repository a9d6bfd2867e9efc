/**
 * How well a lead fits, estimated from what is known of it; a host may bring a scorer of its own.
 *
 * An estimate explains itself in parts and never overwrites the score that a caller stored. Source: G12 ("pluggable
 * scorer"), catalogue 4.1 (lead.score.explain).
 */
import * as Context from "effect/Context"
import type { Offer } from "../../offers/Offer.ts"
import type { LeadContent } from "../Lead.ts"
import { estimateParts } from "./estimateParts.ts"

/** What an estimate looks at. */
export interface ScoredLead {
  readonly content: LeadContent
  /** Whether the lead ever wrote. */
  readonly hasReplied: boolean
  /** What the lead may be offered; undefined when the fit is not asked for. */
  readonly offer: Offer | undefined
}

/** One reason of an estimate: 0 to `most` points, and why in one sentence. */
export interface ScorePart {
  readonly name: string
  readonly points: number
  readonly most: number
  readonly why: string
}

/** Answers the parts of an estimate, whose points add up to 0 to 100. The same lead always has the same parts. */
export type Scorer = (lead: ScoredLead) => ReadonlyArray<ScorePart>

/** The deployment's scorer. */
export const LeadScorer: Context.Reference<Scorer> = Context.Reference<Scorer>("@svc/core/leads/score/LeadScorer", {
  defaultValue: () => estimateParts
})
