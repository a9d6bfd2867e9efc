import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { InvalidInput, NotFound } from "../../../kernel/failure/failures.ts"
import { Finding } from "../../../kernel/schema/Finding.ts"
import { nonEmptyLine, nonEmptyMessage } from "../../../kernel/schema/TextFields.ts"
import { checkMessage } from "../check/checkMessage.ts"
import { contextOf, findingsOf } from "../check/draftFindings.ts"
import { disclosureFindings } from "../check/requiredFindings.ts"
import { DraftChecksRepo } from "../DraftChecksRepo.ts"
import { DraftIdText } from "../DraftInput.ts"
import { isByAgent } from "../Provenance.ts"

const optional = Schema.optionalKey

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
  category: "linkedin",
  risk: "read",
  scope: "linkedin:read",
  unlisted: ["lead_id", "mission_id"],
  input: Schema.Struct({
    draft_id: optional(DraftIdText),
    body_text: optional(
      nonEmptyMessage(
        maxCheckedLength,
        "A text that is not stored. With draft_id, it replaces the draft's texts for the check"
      )
    ),
    lead_id: optional(nonEmptyLine(64, "Lead of a text that is not stored. Only with body_text; its id")),
    mission_id: optional(
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
    const facts = yield* (yield* DraftChecksRepo).facts(organizationId, request)
    if (draft_id !== undefined && facts.draft === undefined) return yield* new NotFound({ kind: "draft", id: draft_id })
    if (lead_id !== undefined && facts.lead === undefined) return yield* new NotFound({ kind: "lead", id: lead_id })
    if (mission_id !== undefined && facts.mission === undefined)
      return yield* new NotFound({ kind: "mission", id: mission_id })
    if (body_text !== undefined) {
      const path = "body_text"
      const required = disclosureFindings(
        facts.rules,
        facts.draft === undefined ? kind === "AI_AGENT" : isByAgent(facts.draft.steps),
        body_text
      )
      const own = required.map(({ code, message, severity }) => ({ path, severity, code, message }))
      return { findings: [...checkMessage(path, body_text, contextOf(facts)), ...own] }
    }
    const findings = findingsOf(facts)
    return { findings: findings.map(({ code, message, path, severity }) => ({ path, severity, code, message })) }
  })
})
