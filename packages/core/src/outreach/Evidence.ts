/** Evidence: for a claim of a draft, the facts that it rests on. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor, rightsKeyOf } from "../kernel/command/Execution.ts"
import { InvalidInput } from "../kernel/failure/failures.ts"
import { Instant, type InstantText } from "../kernel/schema/IdsAndTime.ts"
import { nonEmptyMessage } from "../kernel/schema/TextFields.ts"
import { visibleText } from "../kernel/schema/TextRules.ts"
import { Reference } from "./check/references.ts"
import { contentHashOf } from "./LinkedInDraft.ts"

const claim = { description: "The words of the text that claim something, exactly as they are there" }

const references = {
  description:
    "What it rests on: lead.recentPosts[0], lead.company, offer.references[1], brief.key_message, notes.NOTE_ID or " +
    "messages.MESSAGE_ID"
}

/** Input field `evidence`. */
export const EvidenceInput = Schema.Array(
  Schema.Struct({
    variation_index: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 }))
      .annotate({ description: "Position of the variation, starting at 0", default: 0 })
      .pipe(Schema.withDecodingDefaultKey(Effect.succeed(0))),
    claim: nonEmptyMessage(500, claim.description),
    references: Schema.Array(Reference).check(Schema.isBetweenLength(1, 5)).annotate(references)
  })
)
  .check(Schema.isMaxLength(20))
  .annotate({ description: "The facts that each claim rests on. linkedin.draft.check compares them" })

type EvidenceInput = typeof EvidenceInput.Type

/** The evidence of a claim, as stored. `contentHash` is of the latest content that has the claim. */
export interface EvidenceItem {
  readonly variation_index: number
  readonly claim: string
  readonly references: ReadonlyArray<string>
  readonly content_hash: string
}

/** What is shown of it. */
export const Evidence = Schema.Array(
  Schema.Struct({
    variation_index: Schema.Int,
    claim: Schema.String.annotate(claim),
    references: Schema.Array(Schema.String).annotate(references),
    is_stale: Schema.Boolean.annotate({ description: "Whether the text has changed so that it lacks the claim" })
  })
)

type Content = Parameters<typeof contentHashOf>[0]

/** Evidence for a draft's texts. Fails with INVALID_INPUT where a claim is not in its text. */
export const evidenceFor = (content: Content, input: EvidenceInput) =>
  Effect.suspend(() => {
    const { variations } = content
    for (const [index, item] of input.entries()) {
      const text = variations[item.variation_index]
      const path = `evidence[${index}]`
      if (text === undefined) {
        const message = `${path}.variation_index: there is no variation ${item.variation_index}. The first is 0.`
        return Effect.fail(new InvalidInput({ message }))
      }
      if (!text.includes(item.claim)) {
        const message = `${path}.claim: not in variation ${item.variation_index}. Copy the exact words of the text.`
        return Effect.fail(new InvalidInput({ message }))
      }
    }
    const content_hash = contentHashOf(content)
    return Effect.succeed(input.map((item) => ({ ...item, content_hash })))
  })

/** Evidence after the content changed: it holds for the new one while the lead and the claim are the same. */
export const evidenceAfter = (
  evidence: ReadonlyArray<EvidenceItem>,
  before: Content,
  after: Content
): ReadonlyArray<EvidenceItem> => {
  const content_hash = contentHashOf(after)
  const stands = ({ claim, variation_index }: EvidenceItem) =>
    after.variations[variation_index]?.includes(claim) === true
  return before.leadId === after.leadId
    ? evidence.map((item) => (stands(item) ? { ...item, content_hash } : item))
    : evidence
}

/** Whether it is for another content than the draft has. */
export const isStale = (item: EvidenceItem, content: Content): boolean => item.content_hash !== contentHashOf(content)

/** The evidence as it is shown. */
export const evidenceOf = (row: Content & { readonly evidence: ReadonlyArray<EvidenceItem> }): typeof Evidence.Type =>
  row.evidence.map((item) => ({
    variation_index: item.variation_index,
    claim: item.claim,
    references: item.references,
    is_stale: isStale(item, row)
  }))

const text = Schema.String

const textOrNull = Schema.NullOr(text)

/** One thing that somebody did with a draft. */
const DraftStep = Schema.Struct({
  action: Schema.Literals([
    "created",
    "updated",
    "approved",
    "approved_with_edits",
    "rejected",
    "rewrite_requested",
    "reopened",
    "cancelled"
  ]).annotate({ description: "approved_with_edits: approved with a text that is no variation" }),
  at: Instant,
  user_id: text,
  actor_kind: Schema.Literals(["USER", "AI_AGENT"]),
  key_id: textOrNull.annotate({ description: "Null for a host program" }),
  client: Schema.NullOr(Schema.Struct({ name: text, version: textOrNull })).annotate({
    description: "The program, as it names itself"
  }),
  model: textOrNull.annotate({ description: "The model, as the writer names it" })
})

export type DraftStep = typeof DraftStep.Type

/** The most steps that are kept: the first, and the latest. */
export const keptSteps = 50

/** What is shown of it. */
export const Provenance = Schema.Array(DraftStep).annotate({
  description: `Who created, changed and reviewed it, oldest first: the creation, and the latest ${keptSteps - 1} steps after it`
})

/** What the running actor does at an instant. `model` is what a writer says that it wrote with. */
export const stepNow = (action: DraftStep["action"], at: InstantText, model?: string) =>
  Effect.map(Actor, (actor) => ({
    action,
    at,
    user_id: actor.userId,
    actor_kind: actor.kind,
    key_id: rightsKeyOf(actor),
    client: actor.client ?? null,
    model: model ?? null
  }))

/** The steps with one more. */
export const withStep = (steps: ReadonlyArray<DraftStep>, step: DraftStep): ReadonlyArray<DraftStep> =>
  steps.length < keptSteps ? [...steps, step] : [...steps.slice(0, 1), ...steps.slice(2), step]

const writing: ReadonlyArray<DraftStep["action"]> = ["created", "updated", "approved_with_edits"]

/** Kind and model of who wrote a text last, in one text; a person, if nobody is known. */
export const writerOf = (steps: ReadonlyArray<DraftStep>): string => {
  const { actor_kind = "USER", model = null } = steps.findLast(({ action }) => writing.includes(action)) ?? {}
  return `${actor_kind} ${model ?? ""}`
}

/** Whether an AI agent, or a model that a writer names, wrote any of it. */
export const isByAgent = (steps: ReadonlyArray<DraftStep>): boolean =>
  steps.some(
    ({ action, actor_kind, model }) => writing.includes(action) && (actor_kind === "AI_AGENT" || model !== null)
  )

/** The steps as they are shown: names of models are text by strangers. */
export const provenanceOf = (steps: ReadonlyArray<DraftStep>): ReadonlyArray<DraftStep> =>
  steps.map((step) => (step.model === null ? step : { ...step, model: visibleText(step.model) }))
