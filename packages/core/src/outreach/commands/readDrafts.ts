import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { Actor } from "../../kernel/command/Execution.ts"
import { InvalidCursor, InvalidInput, NotFound } from "../../kernel/failure/failures.ts"
import { Finding } from "../../kernel/schema/Finding.ts"
import { NextCursor, pageFields, readPage } from "../../kernel/schema/Page.ts"
import { nonEmptyLine, nonEmptyMessage, optional } from "../../kernel/schema/TextFields.ts"
import { WrittenFollowUp, writtenFollowUp } from "../../leads/followUp.ts"
import { refuseUnknownMission } from "../../missions/MissionsRepo.ts"
import { checkMessage, shownFinding } from "../check/checkMessage.ts"
import { contextOf, disclosureFindings, findingsOf } from "../check/draftFindings.ts"
import { DraftIdText } from "../DraftInput.ts"
import { DraftsRepo, draftOf, readDraft, readFacts } from "../DraftsRepo.ts"
import { Evidence, evidenceOf, isByAgent, Provenance, provenanceOf } from "../Evidence.ts"
import { DraftStatus, LinkedInDraft } from "../LinkedInDraft.ts"

/** `linkedin.draft.get`: reads one draft. */
export const GetDraft = Command.make({
  id: "linkedin.draft.get",
  title: "Get a LinkedIn draft",
  summary: "Get a draft by its id",
  description:
    "Returns the draft with its variations, lead, agent and mission, what was approved and sent, who wrote, changed and " +
    "reviewed it, and the facts its claims rest on.",
  whenToUse: "Before approving, and to check what happened to a queued message.",
  risk: "read",
  scope: "linkedin:read",
  input: Schema.Struct({ draft_id: DraftIdText }),
  output: Schema.Struct({
    draft: LinkedInDraft,
    provenance: Provenance,
    evidence: Evidence,
    follow_up: WrittenFollowUp
  }),
  failures: [NotFound],
  outputNotes: ["Its content_hash is in the resource svc://linkedin/drafts/{id}."],
  relatedCommands: ["linkedin.draft.list", "linkedin.draft.approve", "linkedin.draft.update"],
  relatedResources: ["svc://linkedin/drafts/{id}"],
  examples: [{ title: "The sample draft", input: { draft_id: "drf_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* ({ draft_id }) {
    const view = yield* readDraft(draft_id)
    const { row } = view
    const beside = { provenance: provenanceOf(row.steps), evidence: evidenceOf(row) }
    return { draft: draftOf(view), ...beside, follow_up: writtenFollowUp(view) }
  })
})

/** `linkedin.draft.list`: reads drafts, newest first. */
export const ListDrafts = Command.make({
  id: "linkedin.draft.list",
  title: "List LinkedIn drafts",
  summary: "List LinkedIn drafts, newest first",
  description: "Returns a page of drafts. Pass next_cursor as cursor for the next page; it is null on the last page.",
  whenToUse:
    "To see what is waiting for review (status PENDING_REVIEW), or what was written to a lead or for a mission.",
  risk: "read",
  scope: "linkedin:read",
  input: Schema.Struct({
    status: optional(
      Schema.Array(DraftStatus).check(Schema.isMaxLength(4)),
      "Only drafts in these statuses. Omit for all"
    ),
    lead_id: Schema.optionalKey(nonEmptyLine(64, "Only drafts for this lead")),
    mission_id: Schema.optionalKey(nonEmptyLine(64, "Only drafts of this mission. Its id or handle")),
    agent_handle: Schema.optionalKey(nonEmptyLine(64, "Only drafts of this agent. Its handle or id")),
    ...pageFields
  }),
  output: Schema.Struct({ drafts: Schema.Array(LinkedInDraft), next_cursor: NextCursor }),
  failures: [InvalidCursor, NotFound],
  relatedCommands: ["linkedin.draft.get", "linkedin.draft.approve", "linkedin.draft.create"],
  relatedResources: ["svc://linkedin/drafts/pending"],
  examples: [{ title: "Drafts waiting for review", input: { status: ["PENDING_REVIEW"], limit: 10 } }],
  run: Effect.fnUntraced(function* (input) {
    const repo = yield* DraftsRepo
    const filter = {
      status: input.status ?? [],
      leadId: input.lead_id,
      mission: input.mission_id,
      agent: input.agent_handle
    }
    const page = yield* readPage("linkedin.drafts", input, repo.list, filter)
    yield* refuseUnknownMission(input.mission_id, page.items)
    return { drafts: page.items.map(draftOf), next_cursor: page.next_cursor }
  })
})

/** Longer than LinkedIn takes, so that the check can say so. */
const maxCheckedLength = 50_000

/** `linkedin.draft.check`: what is wrong with a message before somebody approves it. */
export const CheckDraft = Command.make({
  id: "linkedin.draft.check",
  title: "Check a LinkedIn message",
  summary: "Find placeholders, wrong names and unproven figures",
  description:
    "Checks the texts of a draft, or a text that is not stored, for what a reader would notice: excess length, " +
    "placeholders, a wrong name in the first words, letters other than those of the mission's language, " +
    "several links, the same text as for other leads, figures that neither the offer nor the lead's profile supports, and claims whose evidence does " +
    "not have their figures and names. The rules are fixed: the same texts give the same findings, and no external service is called. No findings does not mean that the " +
    "message is good.",
  whenToUse: "After writing a draft and before linkedin.draft.approve; fix it with linkedin.draft.update.",
  risk: "read",
  scope: "linkedin:read",
  annotations: { unlisted: ["lead_id", "mission_id"] },
  input: Schema.Struct({
    draft_id: Schema.optionalKey(DraftIdText),
    body_text: Schema.optionalKey(
      nonEmptyMessage(
        maxCheckedLength,
        "A text that is not stored. With draft_id, it replaces the draft's texts for the check"
      )
    ),
    lead_id: Schema.optionalKey(nonEmptyLine(64, "Lead of a text that is not stored. Only with body_text; its id")),
    mission_id: Schema.optionalKey(
      nonEmptyLine(64, "Mission of a text that is not stored. Only with body_text; its id or handle")
    )
  }),
  output: Schema.Struct({ findings: Schema.Array(Finding) }),
  failures: [NotFound],
  outputNotes: [
    "error: do not send as is; warning: check it; info: could be better. Empty without findings.",
    "Paths name the text: body_text, selected_body_text of an approved draft, or variations[0].body_text."
  ],
  relatedCommands: ["linkedin.draft.update", "linkedin.draft.approve", "offer.check"],
  relatedResources: ["svc://linkedin/drafts/{id}"],
  examples: [
    { title: "A stored draft", input: { draft_id: "drf_SAMPLE00000000000000000001" } },
    {
      title: "A text for a lead of a mission",
      input: {
        body_text: "Hi Alan, teams like [Company] save 80% of their time.",
        lead_id: "ld_SAMPLE00000000000000000001",
        mission_id: "spring-outreach"
      }
    }
  ],
  run: Effect.fnUntraced(function* ({ body_text, draft_id, lead_id, mission_id }) {
    if (draft_id === undefined && body_text === undefined) {
      return yield* new InvalidInput({ message: "draft_id or body_text is required. Send one of them." })
    }
    if (draft_id !== undefined && (lead_id !== undefined || mission_id !== undefined)) {
      return yield* new InvalidInput({
        message: "lead_id and mission_id are not allowed with draft_id, as the draft determines them. Leave them out."
      })
    }
    const { kind, organizationId } = yield* Actor
    const request = { draftId: draft_id, leadId: lead_id, mission: mission_id }
    const facts = yield* readFacts(organizationId, request)
    if (draft_id !== undefined && facts.draft === undefined) return yield* new NotFound({ kind: "draft", id: draft_id })
    if (lead_id !== undefined && facts.lead === undefined) return yield* new NotFound({ kind: "lead", id: lead_id })
    if (mission_id !== undefined && facts.mission === undefined)
      return yield* new NotFound({ kind: "mission", id: mission_id })
    if (body_text === undefined) return { findings: findingsOf(facts).map(shownFinding) }
    const byAgent = facts.draft === undefined ? kind === "AI_AGENT" : isByAgent(facts.draft.steps)
    const required = disclosureFindings(facts.rules, byAgent, body_text)
    const own = required.map((finding) => shownFinding({ ...finding, path: "body_text" }))
    return { findings: [...checkMessage("body_text", body_text, contextOf(facts)), ...own] }
  })
})
