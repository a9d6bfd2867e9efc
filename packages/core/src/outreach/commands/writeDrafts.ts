import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import type { Actor, Execution } from "../../kernel/command/Execution.ts"
import { ContentChanged, InvalidInput } from "../../kernel/failure/failures.ts"
import { Finding } from "../../kernel/schema/Finding.ts"
import { nonEmptyLine, optional } from "../../kernel/schema/TextFields.ts"
import { DraftOpen, LeadSuppressed, lookupFailures } from "../../leads/failures.ts"
import { findLead } from "../../leads/findLead.ts"
import { leadIdentifierFields } from "../../leads/Lead.ts"
import type { LeadLocks } from "../../leads/LeadsRepo.ts"
import { MissionArchived } from "../../missions/failures.ts"
import { updateDraft } from "../changeDraft.ts"
import { shownFinding } from "../check/checkMessage.ts"
import { readFindings } from "../check/draftFindings.ts"
import { createDrafts, type DraftItem } from "../createDraft.ts"
import { ContentHash, DraftIdText, ModelName, textsOf, Variations, warnOfLength } from "../DraftInput.ts"
import { contentHashOfView, draftResult } from "../DraftsRepo.ts"
import { EvidenceInput } from "../Evidence.ts"
import { changeFailures } from "../failures.ts"
import { changesDraft } from "./reviewDrafts.ts"

const Input = Schema.Struct({
  variations: Variations,
  ...leadIdentifierFields,
  agent_handle: Schema.optionalKey(nonEmptyLine(64, "Sending agent. Its handle")),
  agent_id: Schema.optionalKey(nonEmptyLine(64, "Id of the sending agent, instead of its handle")),
  mission_id: Schema.optionalKey(nonEmptyLine(64, "Mission of the message. An id or a handle")),
  evidence: Schema.optionalKey(EvidenceInput),
  model: ModelName,
  replace_open: Schema.Boolean.annotate({
    description: "Cancel the lead's open draft first. Applies to drafts with the same agent",
    default: false
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
})

type Inputs = ReadonlyArray<{ readonly input: typeof Input.Type; readonly context?: DraftItem<never>["context"] }>

/** Stores drafts, and warns of long texts. */
const createAll = Effect.fnUntraced(function* (calls: Inputs, locks: LeadLocks) {
  const running = yield* Effect.context<Actor | Execution>()
  const created = yield* createDrafts(
    calls.map(({ context, input }) => {
      const { agent_handle, agent_id, evidence = [], mission_id, model, replace_open, variations } = input
      if (agent_handle !== undefined && agent_id !== undefined && agent_handle !== agent_id) {
        const message = "agent_handle and agent_id are alternatives. Send one of them."
        return { request: Result.fail(new InvalidInput({ message })) }
      }
      const agent = agent_handle ?? agent_id
      const more = { lead: input, agent, mission: mission_id, replaceOpen: replace_open, model, evidence }
      return { request: Result.succeed({ variations: textsOf(variations), ...more }), context }
    }),
    locks
  )
  for (const [index, { context = running, input }] of calls.entries()) {
    const one = created[index]
    if (one && Result.isSuccess(one)) {
      yield* Effect.provideContext(warnOfLength(textsOf(input.variations)), context)
    }
  }
  return created
})

/** `linkedin.draft.create`: writes a message for review. */
export const CreateDraft = Command.make({
  id: "linkedin.draft.create",
  title: "Draft a LinkedIn message",
  summary: "Draft up to three variations of a LinkedIn message",
  description:
    "Stores a draft for one lead in status PENDING_REVIEW; nothing is sent. A lead can have one open draft per " +
    "agent: replace_open cancels an existing one. If no agent is given, the mission's agent is used, or else the " +
    "only agent.",
  whenToUse:
    "After reading the lead with lead.get, when there is something worth saying. A person approves the draft " +
    "afterwards.",
  ...changesDraft,
  annotations: { unlisted: ["custom_id", "linkedin_id", "sales_nav_id", "model"] },
  input: Input,
  failures: [...lookupFailures, ...changeFailures, DraftOpen, LeadSuppressed, MissionArchived],
  riskNotes: ["Creates one draft; sends nothing."],
  outputNotes: ["The stored draft; variation positions start at 0.", "A warning names long texts."],
  relatedCommands: ["lead.get", "linkedin.draft.approve", "linkedin.draft.update", "linkedin.draft.list"],
  relatedResources: ["svc://linkedin/drafts/pending", "svc://prospects/{id}"],
  examples: [
    {
      title: "Three variations for one lead",
      input: {
        email: "grace@example.com",
        agent_handle: "ada-martin",
        mission_id: "spring-outreach",
        replace_open: true,
        variations: [
          {
            body_text:
              "Hello Grace, your talk on month-end closing was the clearest I have heard. May I ask one question?"
          },
          { body_text: "Grace, how long does closing a month take your team today?" },
          { body_text: "Hi Grace, finance teams like yours close four days earlier. Worth ten minutes?" }
        ]
      }
    }
  ],
  runMany: (calls) =>
    Effect.map(createAll(calls, "skip"), (created) => created.map((one) => one && Result.map(one, draftResult))),
  run: (input) =>
    Effect.flatMap(createAll([{ input }], "wait"), ([one]) =>
      one === undefined
        ? Effect.die("a single draft is never left out")
        : Effect.fromResult(Result.map(one, draftResult))
    )
})

const maxItems = 20

const CreatedDraft = Schema.Struct({
  ok: Schema.Boolean,
  draft_id: Schema.NullOr(Schema.String).annotate({ description: "The stored draft; null if it was refused" }),
  lead_id: Schema.NullOr(Schema.String),
  lead_name: Schema.NullOr(Schema.String),
  content_hash: Schema.NullOr(Schema.String).annotate({ description: "Send it with the approval" }),
  findings: Schema.Array(Finding).annotate({ description: "What linkedin.draft.check finds" }),
  error: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String }))
})

const unstored = {
  ok: false,
  draft_id: null,
  lead_id: null,
  lead_name: null,
  content_hash: null,
  findings: []
} as const

/** `linkedin.draft.create-many`: writes messages for several leads, each on its own merits. */
export const CreateDrafts = Command.make({
  id: "linkedin.draft.create-many",
  title: "Draft several LinkedIn messages",
  summary: `Draft messages for up to ${maxItems} leads`,
  description:
    "Stores a draft for each item, as linkedin.draft.create does, and checks it; nothing is sent. A draft that is refused " +
    "does not affect the others; each result says whether it was stored, in the order of the items. Later items see the " +
    "drafts of earlier ones: a second one for the same lead and agent is refused unless it has replace_open.",
  whenToUse: "After reading each of several leads.",
  risk: "mutate",
  scope: "linkedin:draft",
  effects: { does: ["drafts"], channels: [] },
  annotations: {
    unlisted: [
      "email",
      "custom_id",
      "linkedin_url",
      "linkedin_id",
      "sales_nav_id",
      "agent_id",
      "model",
      "evidence"
    ].map((name) => `drafts.${name}`)
  },
  input: Schema.Struct({
    drafts: Schema.Array(CreateDraft.input)
      .check(Schema.isBetweenLength(1, maxItems))
      .annotate({ description: `Drafts to store. 1 to ${maxItems}, each as linkedin.draft.create takes it` })
  }),
  output: Schema.Struct({
    results: Schema.Array(CreatedDraft).annotate({ description: "One result per item, in the same order" })
  }),
  failures: [],
  riskNotes: ["Creates drafts; sends nothing."],
  outputNotes: ["The run succeeds even if every item was refused: check ok in each result."],
  relatedCommands: ["linkedin.draft.create", "lead.get", "linkedin.draft.update", "linkedin.draft.list"],
  relatedResources: ["svc://linkedin/drafts/pending", "svc://prospects/{id}"],
  examples: [
    {
      title: "Two leads of a mission",
      input: {
        drafts: [
          {
            email: "grace@example.com",
            mission_id: "spring-outreach",
            replace_open: true,
            variations: ["Hello Grace, may I ask one question about how your team closes a month?"]
          },
          {
            email: "noor@example.com",
            mission_id: "spring-outreach",
            replace_open: true,
            variations: ["Hello Noor, what takes longest when your team closes a month?"]
          }
        ]
      }
    }
  ],
  run: Effect.fnUntraced(function* ({ drafts }) {
    const results: Array<typeof CreatedDraft.Type> = []
    const created = yield* createAll(
      drafts.map((input) => ({ input })),
      "wait"
    )
    const found = yield* readFindings(
      created.flatMap((one) => (one !== undefined && Result.isSuccess(one) ? [one.success.row.id] : []))
    )
    for (const one of created) {
      if (one === undefined) return yield* Effect.die("nobody is left out while others are waited for")
      if (Result.isFailure(one)) {
        const { code, message } = one.failure
        results.push({ ...unstored, error: { code, message } })
        continue
      }
      const view = one.success
      results.push({
        ok: true,
        draft_id: view.row.id,
        lead_id: view.lead.id,
        lead_name: view.lead.name,
        content_hash: contentHashOfView(view),
        findings: (found.get(view.row.id) ?? []).map(shownFinding),
        error: null
      })
    }
    return { results }
  })
})

/** `linkedin.draft.update`: changes a draft. */
export const UpdateDraft = Command.make({
  id: "linkedin.draft.update",
  title: "Update a LinkedIn draft",
  summary: "Update a draft that has not been sent",
  description:
    "Changes the texts, lead, mission or evidence you send and keeps the rest; lists replace the stored ones. Changing " +
    "the text, lead or mission of an approved draft revokes the approval and returns it to review. Sending stored values " +
    "again changes nothing.",
  whenToUse: "To improve a draft after feedback, instead of writing a new one.",
  ...changesDraft,
  annotations: { unlisted: ["evidence", "model"] },
  input: Schema.Struct({
    draft_id: DraftIdText,
    variations: Schema.optionalKey(Variations),
    lead_id: Schema.optionalKey(nonEmptyLine(64, "Id of the lead it is for")),
    mission_id: optional(Schema.NullOr(nonEmptyLine(64)), "Mission of the message. An id or a handle; null for none"),
    content_hash: ContentHash,
    evidence: Schema.optionalKey(EvidenceInput),
    model: ModelName
  }),
  failures: [...lookupFailures, ...changeFailures, ContentChanged, DraftOpen, LeadSuppressed, MissionArchived],
  riskNotes: ["Revokes the approval if text, lead or mission change, and cancels a queued message."],
  outputNotes: [
    "The warning approval_cleared means that the draft must be approved again; evidence_stale, that a text lacks a claim."
  ],
  relatedCommands: ["linkedin.draft.get", "linkedin.draft.approve", "linkedin.draft.cancel"],
  examples: [
    {
      title: "One improved text",
      input: {
        draft_id: "drf_SAMPLE00000000000000000002",
        variations: [{ body_text: "Hello Grace, one question about how you close a month: may I?" }]
      }
    }
  ],
  run: Effect.fnUntraced(function* ({ content_hash, draft_id, evidence, lead_id, mission_id, model, variations }) {
    const texts = variations === undefined ? undefined : textsOf(variations)
    const lead = lead_id === undefined ? undefined : yield* findLead({ lead_id })
    const view = yield* updateDraft(draft_id, {
      variations: texts,
      lead,
      mission: mission_id,
      read: content_hash?.toLowerCase(),
      evidence,
      model
    })
    if (texts !== undefined) yield* warnOfLength(texts)
    return draftResult(view)
  })
})
