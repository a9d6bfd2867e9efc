/** Input and result of a scorer. */
import type { Offer } from "../../offers/Offer.ts"
import type { LeadContent } from "../Lead.ts"

/** The data a scorer uses. */
export interface ScoredLead {
  readonly content: LeadContent
  /** Whether the lead ever replied. */
  readonly hasReplied: boolean
  /** The offer to compare with; undefined without one. */
  readonly offer: Offer | undefined
}

/** One part of an estimate: 0 to `most` points, and one sentence that explains them. */
export interface ScorePart {
  readonly name: string
  readonly points: number
  readonly most: number
  readonly why: string
}
