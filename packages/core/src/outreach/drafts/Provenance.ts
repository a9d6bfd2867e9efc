/** Where a draft comes from: who wrote, changed and reviewed it, with which program and model. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor, rightsKeyOf } from "../../kernel/command/Actor.ts"
import type { InstantText } from "../../kernel/schema/RecordIds.ts"
import { Instant } from "../../kernel/schema/Time.ts"
import { visibleText } from "../../kernel/schema/visibleText.ts"

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
export const stepNow = (
  action: DraftStep["action"],
  at: InstantText,
  model?: string
): Effect.Effect<DraftStep, never, Actor> =>
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

/** Whether an AI agent, or a model that a writer names, wrote any of it. */
export const isByAgent = (steps: ReadonlyArray<DraftStep>): boolean =>
  steps.some(
    ({ action, actor_kind, model }) => writing.includes(action) && (actor_kind === "AI_AGENT" || model !== null)
  )

/** The steps as they are shown: names of models are text by strangers. */
export const provenanceOf = (steps: ReadonlyArray<DraftStep>): ReadonlyArray<DraftStep> =>
  steps.map((step) => (step.model === null ? step : { ...step, model: visibleText(step.model) }))
