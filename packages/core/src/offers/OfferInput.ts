/**
 * What a caller may write of an offer, in both spellings: snake_case for commands, camelCase for REST.
 *
 * Nested items take both spellings, so an offer that was read can be sent back as it is. Source: catalogue 4.1,
 * gap decisions G29 and G30.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { body, httpUrl, isoDateTime, jsonObject, line, nonEmptyBody, nonEmptyLine } from "../TextFields.ts"
import { type Offer, type OfferContent, ReferenceType, ResourceType } from "./Offer.ts"

const optional = Schema.optionalKey
const orNull = <S extends Schema.Codec<unknown, unknown>>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
const list = <S extends Schema.Codec<unknown, unknown>>(item: S, description: string) =>
  Schema.Array(item).check(Schema.isMaxLength(100)).annotate({ description })

/** A caller's own id of an offer. Source: contract 7. */
export const OfferIdText = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-]{1,64}$/u, { expected: "1 to 64 letters, digits, _ or -" })
)

const ReferenceInput = Schema.Struct({
  type: ReferenceType,
  title: orNull(line(200)),
  content: nonEmptyBody(20_000, "The proof itself: the quote, the case, the figures"),
  author: orNull(line(200)),
  jobTitle: orNull(line(200)),
  job_title: orNull(line(200)),
  company: orNull(line(200)),
  companyLocation: orNull(line(200)),
  company_location: orNull(line(200)),
  companySize: orNull(line(200)),
  company_size: orNull(line(200)),
  industry: orNull(line(200)),
  keyResult: orNull(line(1000)),
  key_result: orNull(line(1000)),
  source: orNull(line(1000)),
  publishedAt: orNull(isoDateTime),
  published_at: orNull(isoDateTime),
  url: orNull(httpUrl),
  tags: orNull(Schema.Array(line(64)).check(Schema.isMaxLength(50))),
  metadata: orNull(jsonObject(16_384, 8))
})

const ProblemSolutionInput = Schema.Struct({
  problem: nonEmptyBody(2000),
  solution: nonEmptyBody(2000),
  feature: body(2000)
})

const DifferentiatorInput = Schema.Struct({ title: nonEmptyLine(200), description: orNull(body(10_000)) })

const ResourceInput = Schema.Struct({
  type: ResourceType,
  title: nonEmptyLine(200),
  description: orNull(body(10_000)),
  url: orNull(httpUrl),
  publishedAt: orNull(isoDateTime),
  published_at: orNull(isoDateTime)
})

const arrays = {
  references: list(ReferenceInput, "Proof: testimonials, cases, press, figures"),
  problemSolutions: list(ProblemSolutionInput, "Problems of the reader and how each is solved"),
  differentiators: list(DifferentiatorInput, "What sets the offer apart"),
  resources: list(ResourceInput, "Material to point a prospect to")
}

const texts = {
  name: nonEmptyLine(200, "Name of the offer"),
  oneLiner: nonEmptyBody(300, "What it is in one sentence"),
  valueProposition: nonEmptyBody(2000, "What the customer gains"),
  description: body(10_000, "Longer description"),
  landingPageUrl: httpUrl,
  salesBriefUrl: httpUrl
}

/** Fields of offer.create and offer.update beside the id, all optional; the command says what is missing. */
export const offerFields = {
  name: optional(texts.name),
  offer_name: optional(nonEmptyLine(200, "Another word for name")),
  one_liner: optional(texts.oneLiner),
  value_proposition: optional(texts.valueProposition),
  description: orNull(texts.description),
  landing_page_url: orNull(texts.landingPageUrl),
  sales_brief_url: orNull(texts.salesBriefUrl),
  references: optional(arrays.references),
  problem_solutions: optional(arrays.problemSolutions),
  differentiators: optional(arrays.differentiators),
  resources: optional(arrays.resources)
}

/** Fields of the REST body, camelCase. */
export const offerRestFields = {
  name: optional(texts.name),
  oneLiner: optional(texts.oneLiner),
  valueProposition: optional(texts.valueProposition),
  description: orNull(texts.description),
  landingPageUrl: orNull(texts.landingPageUrl),
  salesBriefUrl: orNull(texts.salesBriefUrl),
  isDraft: optional(
    Schema.Boolean.annotate({ description: "True for an offer that is not ready: only its name is required then" })
  ),
  references: optional(arrays.references),
  problemSolutions: optional(arrays.problemSolutions),
  differentiators: optional(arrays.differentiators),
  resources: optional(arrays.resources)
}

/** `is_draft` with its default. */
export const isDraftField = Schema.Boolean.annotate({
  description: "True for an offer that is not ready: only its name is required then",
  default: false
}).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))

/** A REST body as it was decoded. */
export type OfferWrite = Partial<Schema.Struct.Type<typeof offerRestFields>>

/** A command's fields in the REST spelling, so that one rule serves both. */
export const toOfferWrite = (
  input: Partial<Schema.Struct.Type<typeof offerFields>> & { readonly is_draft?: boolean }
): OfferWrite => {
  const {
    one_liner,
    value_proposition,
    landing_page_url,
    sales_brief_url,
    problem_solutions,
    is_draft,
    offer_name,
    ...rest
  } = input
  return {
    ...rest,
    ...(rest.name === undefined && offer_name !== undefined ? { name: offer_name } : {}),
    ...(one_liner === undefined ? {} : { oneLiner: one_liner }),
    ...(value_proposition === undefined ? {} : { valueProposition: value_proposition }),
    ...(landing_page_url === undefined ? {} : { landingPageUrl: landing_page_url }),
    ...(sales_brief_url === undefined ? {} : { salesBriefUrl: sales_brief_url }),
    ...(problem_solutions === undefined ? {} : { problemSolutions: problem_solutions }),
    ...(is_draft === undefined ? {} : { isDraft: is_draft })
  }
}

const referenceOf = (input: typeof ReferenceInput.Type): Offer["references"][number] => ({
  type: input.type,
  title: input.title ?? null,
  content: input.content,
  author: input.author ?? null,
  jobTitle: input.jobTitle ?? input.job_title ?? null,
  company: input.company ?? null,
  companyLocation: input.companyLocation ?? input.company_location ?? null,
  companySize: input.companySize ?? input.company_size ?? null,
  industry: input.industry ?? null,
  keyResult: input.keyResult ?? input.key_result ?? null,
  source: input.source ?? null,
  publishedAt: input.publishedAt ?? input.published_at ?? null,
  url: input.url ?? null,
  tags: input.tags ?? null,
  metadata: input.metadata ?? null
})

/** Content after a write: a field that was not sent keeps its value, arrays replace, null clears. */
export const applyWrite = (before: OfferContent, write: OfferWrite): OfferContent => ({
  name: write.name ?? before.name,
  oneLiner: write.oneLiner ?? before.oneLiner,
  valueProposition: write.valueProposition ?? before.valueProposition,
  description: write.description === undefined ? before.description : write.description,
  landingPageUrl: write.landingPageUrl === undefined ? before.landingPageUrl : write.landingPageUrl,
  salesBriefUrl: write.salesBriefUrl === undefined ? before.salesBriefUrl : write.salesBriefUrl,
  isDraft: write.isDraft ?? before.isDraft,
  references: write.references?.map(referenceOf) ?? before.references,
  problemSolutions: write.problemSolutions ?? before.problemSolutions,
  differentiators:
    write.differentiators?.map(({ title, description }) => ({ title, description: description ?? null })) ??
    before.differentiators,
  resources:
    write.resources?.map((item) => ({
      type: item.type,
      title: item.title,
      description: item.description ?? null,
      url: item.url ?? null,
      publishedAt: item.publishedAt ?? item.published_at ?? null
    })) ?? before.resources
})

/** An offer with nothing in it. */
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
