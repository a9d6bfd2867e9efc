import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { Finding } from "../../../kernel/schema/Finding.ts"
import { holdFoundLeads } from "../../../leads/findLead.ts"
import { findingsOf } from "../check/draftFindings.ts"
import { holdMissions } from "../createDraft.ts"
import { DraftChecksRepo } from "../DraftChecksRepo.ts"
import { textsOf, warnOfLength } from "../DraftInput.ts"
import { contentHashOfView } from "../DraftView.ts"
import { CreateDraft, createOne } from "./CreateDraft.ts"

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
  category: "linkedin",
  risk: "mutate",
  scope: "linkedin:draft",
  effects: { does: ["drafts"], channels: [] },
  unlisted: ["email", "custom_id", "linkedin_url", "linkedin_id", "sales_nav_id", "agent_id", "model", "evidence"].map(
    (name) => `drafts.${name}`
  ),
  input: Schema.Struct({
    drafts: Schema.Array(CreateDraft.input)
      .check(Schema.isBetweenLength(1, maxItems))
      .annotate({ description: `Drafts to store. 1 to ${maxItems}, each as linkedin.draft.create takes it` })
  }),
  output: Schema.Struct({
    results: Schema.Array(CreatedDraft).annotate({ description: "One result per item, in the same order" })
  }),
  failures: CreateDraft.failures,
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
    const { organizationId } = yield* Actor
    const checks = yield* DraftChecksRepo
    const results: Array<typeof CreatedDraft.Type> = []
    yield* holdMissions(drafts.flatMap(({ mission_id }) => mission_id ?? []))
    for (const [item, lead] of yield* holdFoundLeads(drafts)) {
      // A refused item has written nothing: createDraft decides everything before its first write.
      const created = yield* Effect.result(createOne(item, Effect.fromResult(lead)))
      if (created._tag === "Failure") {
        const { code, entry, message } = created.failure
        // A store that does not answer refuses no draft: it undoes the run.
        if (entry.kind === "Unavailable") return yield* created.failure
        const error = { code, message }
        results.push({
          ok: false,
          draft_id: null,
          lead_id: null,
          lead_name: null,
          content_hash: null,
          findings: [],
          error
        })
        continue
      }
      const view = created.success
      yield* warnOfLength(textsOf(item.variations))
      const facts = yield* checks.facts(organizationId, {
        draftId: view.row.id,
        leadId: undefined,
        mission: undefined
      })
      results.push({
        ok: true,
        draft_id: view.row.id,
        lead_id: view.lead.id,
        lead_name: view.lead.name,
        content_hash: contentHashOfView(view),
        findings: findingsOf(facts).map(({ code, message, path, severity }) => ({ path, severity, code, message })),
        error: null
      })
    }
    return { results }
  })
})
