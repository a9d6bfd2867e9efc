/** Offers: what an organization sells, with proof. The record is the API's closed shape, so it needs no conversion to JSON. */

import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { StoreEffect, StoreMethod } from "../kernel/failure/failures.ts"
import { compacted, compactField, compactItems } from "../kernel/schema/compact.ts"
import { Instant, type InstantText, type MissionId, type OfferId } from "../kernel/schema/IdsAndTime.ts"
import type { StoredJson } from "../kernel/schema/Json.ts"
import type { Page, PageRequest } from "../kernel/schema/Page.ts"
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
export const Reference = Schema.Struct({
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
export const Differentiator = Schema.Struct({ title: text, description: textOrNull })

/** Material to point a prospect to. */
export const OfferResource = Schema.Struct({
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
export const contentOf = (offer: Offer): OfferContent =>
  Struct.omit(offer, ["id", "organizationId", "lastUsedAt", "createdAt", "updatedAt"])

const kept = 3

/** The offer with fewer and shorter references, and a warning if any were cut. */
const compactOffer = (offer: Offer) => {
  const references = offer.references.slice(0, kept).map((reference) => ({
    ...reference,
    content: shorten(reference.content),
    metadata: null
  }))
  const cut = offer.references.length > kept || offer.references.some(({ content }) => content.length > shortLength)
  const warning = `the references of offer ${offer.id} are shortened; use response_profile full for all`
  return compacted<Offer>({ ...offer, references }, cut, warning)
}

/** {@link compactOffer} for an output with one offer. */
export const compactOne = compactField("offer", compactOffer)

/** {@link compactOffer} for a page of offers. */
export const compactOffers = compactItems("offers", compactOffer)

/** Filters of a list; `query` is part of the name or the one-liner, ignoring case. */
interface OfferFilter {
  readonly query: string | undefined
  readonly isDraft: boolean | undefined
}

/** A mission that links an offer. */
export interface OfferUser {
  readonly id: MissionId
  readonly handle: string
  readonly isArchived: boolean
}

/** Stores offers. Fails with UNAVAILABLE when the store cannot be reached. */
export class OffersRepo extends Context.Service<
  OffersRepo,
  {
    readonly find: StoreMethod<[offerId: OfferId], Offer | undefined>
    /** Like `find`, but locks the offer against deletion until the transaction ends, to link it. */
    readonly hold: StoreMethod<[offerId: OfferId], Offer | undefined>
    /**
     * Like `find`, but locks the offer against changes, deletion and linking until the transaction ends; `users` are the
     * missions that link it, by handle.
     */
    readonly holdForDeletion: StoreMethod<
      [offerId: OfferId],
      { readonly offer: Offer; readonly users: ReadonlyArray<OfferUser> } | undefined
    >
    /** Stores a new offer. If its id is taken, stores nothing and returns the offer that has it. */
    readonly insert: (offer: Offer) => StoreEffect<Offer | undefined>
    /** Replaces an offer except `lastUsedAt`; returns false if it changed since `seenUpdatedAt`. */
    readonly replace: (offer: Offer, seenUpdatedAt: InstantText) => StoreEffect<boolean>
    /**
     * Records that a mission linked the offer at `at`; an earlier instant than the stored one changes nothing. `updatedAt`
     * stays.
     */
    readonly touch: StoreMethod<[offerId: OfferId, at: string], void>
    /** Deletes a locked offer and unlinks it from its missions at `at`. */
    readonly remove: StoreMethod<[offerId: OfferId, at: string], void>
    /** Newest first; as stored JSON where the store has that. */
    readonly list: StoreMethod<[filter: OfferFilter, page: PageRequest], Page<Offer | StoredJson<Offer>>>
  }
>()("@svc/core/offers/OffersRepo") {}
