/**
 * The input fields of offers.
 *
 * Nested items accept camelCase and snake_case, so an offer can be sent back as it was read.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { snakeCase, written } from "../kernel/schema/snakeCase.ts"
import * as Text from "../kernel/schema/TextFields.ts"
import { Differentiator, type OfferContent, OfferResource, Reference, ReferenceType, ResourceType } from "./Offer.ts"

const optional = Schema.optionalKey
const orNull = <S extends Schema.Codec<unknown, unknown>>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
const list = <S extends Schema.Codec<unknown, unknown>>(item: S, description: string) =>
  Schema.Array(item).check(Schema.isMaxLength(100)).annotate({ description })

/** Input field `offer_id`: also an id of the caller's own. */
export const OfferIdText = Text.formatted(/^[A-Za-z0-9_-]{1,64}$/u, 64, "1 to 64 letters, digits, _ or -")

const ReferenceInput = Schema.Struct({
  type: ReferenceType,
  title: orNull(Text.line(200)),
  content: Text.nonEmptyBody(20_000, "The evidence: the quote, the case, the figures"),
  author: orNull(Text.line(200)),
  jobTitle: orNull(Text.line(200)),
  job_title: orNull(Text.line(200)),
  company: orNull(Text.line(200)),
  companyLocation: orNull(Text.line(200)),
  company_location: orNull(Text.line(200)),
  companySize: orNull(Text.line(200)),
  company_size: orNull(Text.line(200)),
  industry: orNull(Text.line(200)),
  keyResult: orNull(Text.line(1000)),
  key_result: orNull(Text.line(1000)),
  source: orNull(Text.line(1000)),
  publishedAt: orNull(Text.isoDateTime),
  published_at: orNull(Text.isoDateTime),
  url: orNull(Text.httpUrl),
  tags: orNull(Schema.Array(Text.line(64)).check(Schema.isMaxLength(50))),
  metadata: orNull(Text.jsonObject(16_384, 8))
})

const ProblemSolutionInput = Schema.Struct({
  problem: Text.nonEmptyBody(2000),
  solution: Text.nonEmptyBody(2000),
  feature: Text.body(2000)
})

const DifferentiatorInput = Schema.Struct({ title: Text.nonEmptyLine(200), description: orNull(Text.body(10_000)) })

const ResourceInput = Schema.Struct({
  type: ResourceType,
  title: Text.nonEmptyLine(200),
  description: orNull(Text.body(10_000)),
  url: orNull(Text.httpUrl),
  publishedAt: orNull(Text.isoDateTime),
  published_at: orNull(Text.isoDateTime)
})

/** Fields of offer.create and offer.update except the id, all optional; the command reports missing ones. */
export const offerFields = {
  name: optional(Text.nonEmptyLine(200, "Name of the offer")),
  offer_name: optional(Text.nonEmptyLine(200, "Alias of name")),
  one_liner: optional(Text.nonEmptyBody(300, "The offer in one sentence")),
  value_proposition: optional(Text.nonEmptyBody(2000, "The customer's benefit")),
  description: orNull(Text.body(10_000, "Longer description")),
  landing_page_url: orNull(Text.httpUrl),
  sales_brief_url: orNull(Text.httpUrl),
  references: optional(list(ReferenceInput, "Proof: testimonials, cases, press, figures")),
  problem_solutions: optional(
    list(ProblemSolutionInput, "Problems and their solutions. What the customer has, and how each is solved")
  ),
  differentiators: optional(list(DifferentiatorInput, "What sets the offer apart")),
  resources: optional(list(ResourceInput, "Resources to share with a prospect"))
}

/** `is_draft` with its default. */
export const isDraftField = Schema.Boolean.annotate({
  description: "Unfinished offer. It requires only a name",
  default: false
}).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))

/** A decoded write. */
export type OfferWrite = Partial<Schema.Struct.Type<typeof offerFields>> & { readonly is_draft?: boolean }

/** Makes a nested item as a schema stores it: each field in either spelling, and null where it is absent. */
const storedAs =
  <F extends Schema.Struct.Fields>({ fields }: Schema.Struct<F>) =>
  (item: object): Schema.Struct.Type<F> =>
    Object.fromEntries(
      Object.keys(fields).map((name) => [name, Reflect.get(item, name) ?? Reflect.get(item, snakeCase(name)) ?? null])
    ) as Schema.Struct.Type<F>

/** The content of a new offer before the first write. */
export const emptyContent: OfferContent = {
  name: "",
  oneLiner: "",
  valueProposition: "",
  description: null,
  landingPageUrl: null,
  salesBriefUrl: null,
  isDraft: false,
  references: [],
  problemSolutions: [],
  differentiators: [],
  resources: []
}

/** The content after a write: absent fields stay, arrays are replaced, null clears. */
export const applyWrite = (before: OfferContent, write: OfferWrite): OfferContent =>
  written(
    before,
    {
      ...write,
      references: write.references?.map(storedAs(Reference)),
      differentiators: write.differentiators?.map(storedAs(Differentiator)),
      resources: write.resources?.map(storedAs(OfferResource))
    },
    emptyContent
  )
