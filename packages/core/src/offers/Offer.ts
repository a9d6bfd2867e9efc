/** Offers: what an organization sells, with proof. The record is the API's closed shape, so it needs no conversion to JSON. */

import * as Schema from "effect/Schema"
import { compactField, compactItems } from "../kernel/schema/compact.ts"
import { Instant } from "../kernel/schema/IdsAndTime.ts"
import { shorten, shortLength } from "../kernel/schema/TextRules.ts"

/** The kind of a reference. */
export const ReferenceType = Schema.Literals([
  "TESTIMONIAL",
  "CASE_STUDY",
  "PRESS",
  "SECTOR_REFERENCE",
  "STATS",
  "OTHER"
])

/** The kind of a resource. */
export const ResourceType = Schema.Literals([
  "TUTORIAL",
  "WEBINAR",
  "EVENT",
  "GUIDE",
  "PLAYBOOK",
  "ARTICLE",
  "VIDEO",
  "OTHER"
])

const text = Schema.String

const textOrNull = Schema.NullOr(Schema.String)

/** A piece of proof. */
const Reference = Schema.Struct({
  type: ReferenceType,
  title: textOrNull,
  content: text,
  author: textOrNull,
  jobTitle: textOrNull,
  company: textOrNull,
  companyLocation: textOrNull,
  companySize: textOrNull,
  industry: textOrNull,
  keyResult: textOrNull,
  source: textOrNull,
  publishedAt: Schema.NullOr(Instant),
  url: textOrNull,
  tags: Schema.NullOr(Schema.Array(text)),
  metadata: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))
})

/** A customer's problem, its solution, and the feature that solves it. */
const ProblemSolution = Schema.Struct({ problem: text, solution: text, feature: text })

/** What sets the offer apart. */
const Differentiator = Schema.Struct({ title: text, description: textOrNull })

/** Material to point a prospect to. */
const OfferResource = Schema.Struct({
  type: ResourceType,
  title: text,
  description: textOrNull,
  url: textOrNull,
  publishedAt: Schema.NullOr(Instant)
})

/** A commercial proposition. */
export const Offer = Schema.Struct({
  id: text,
  organizationId: text,
  name: text,
  oneLiner: text,
  valueProposition: text,
  description: textOrNull,
  landingPageUrl: textOrNull,
  salesBriefUrl: textOrNull,
  isDraft: Schema.Boolean,
  lastUsedAt: Schema.NullOr(Instant),
  references: Schema.Array(Reference),
  problemSolutions: Schema.Array(ProblemSolution),
  differentiators: Schema.Array(Differentiator),
  resources: Schema.Array(OfferResource),
  createdAt: Instant,
  updatedAt: Instant
})

/** A commercial proposition. */
export type Offer = typeof Offer.Type

/** The part of an offer that callers set: all but ids and instants. */
export type OfferContent = Omit<Offer, "id" | "organizationId" | "lastUsedAt" | "createdAt" | "updatedAt">

/** The content of an offer. */
export const contentOf = (offer: Offer): OfferContent => {
  const {
    id: _id,
    organizationId: _org,
    lastUsedAt: _used,
    createdAt: _created,
    updatedAt: _updated,
    ...content
  } = offer
  return content
}

const kept = 3

/** The offer with fewer and shorter references, and a warning if any were cut. */
const compactOffer = (offer: Offer): { readonly output: Offer; readonly warnings: ReadonlyArray<string> } => {
  const references = offer.references.slice(0, kept).map((reference) => ({
    ...reference,
    content: shorten(reference.content),
    metadata: null
  }))
  const cut = offer.references.length > kept || offer.references.some(({ content }) => content.length > shortLength)
  return {
    output: { ...offer, references },
    warnings: cut
      ? [`compact: the references of offer ${offer.id} are shortened; use response_profile full for all`]
      : []
  }
}

/** {@link compactOffer} for an output with one offer. */
export const compactOne = compactField("offer", compactOffer)

/** {@link compactOffer} for a page of offers. */
export const compactOffers = compactItems("offers", compactOffer)
