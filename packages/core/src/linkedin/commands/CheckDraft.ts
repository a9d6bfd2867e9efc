import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { fail, notFound } from "../../Failure.ts"
import { Finding } from "../../Finding.ts"
import { nonEmptyLine, nonEmptyMessage } from "../../TextFields.ts"
import { checkMessage, type MessageContext } from "../check/checkMessage.ts"
import { type CheckFacts, DraftChecksRepo } from "../DraftChecksRepo.ts"
import { DraftIdText } from "../DraftInput.ts"

const optional = Schema.optionalKey

/** Longer than LinkedIn takes, so that the check can say so. */
const longestChecked = 50_000

const contextOf = ({ lead, mission, others }: CheckFacts): MessageContext => ({
  lead,
  language: mission?.language,
  support:
    mission === undefined
      ? undefined
      : {
          texts: [...(mission.offer ?? []), ...mission.brief, ...(lead?.texts ?? [])],
          hasOffer: mission.offer !== undefined
        },
  others
})

/** The texts to check with their paths: the one sent, else what was approved, else every variation. */
const textsOf = (
  bodyText: string | undefined,
  draft: CheckFacts["draft"]
): ReadonlyArray<readonly [string, string]> => {
  if (bodyText !== undefined) return [["body_text", bodyText]]
  if (draft?.selectedBodyText != null) return [["selected_body_text", draft.selectedBodyText]]
  return (draft?.variations ?? []).map((text, index) => [`variations[${index}].body_text`, text] as const)
}

/** `linkedin.draft.check`: what is wrong with a message before somebody approves it. */
export const CheckDraft = Command.make({
  id: "linkedin.draft.check",
  title: "Check a LinkedIn message",
  summary: "Find wrong names, placeholders, unproven figures and repetitions in a message.",
  description:
    "Reads the texts of a draft, or a text that is not stored, and names what a reader would stumble over: too long, a " +
    "placeholder left in, a greeting of somebody else, another language than the mission's, several links, the same text as for " +
    "other leads, figures that are neither in the offer nor known of the lead. The rules are fixed: the same texts give the " +
    "same findings, and nobody outside is asked. No finding is no proof that the message is good.",
  whenToUse: "After writing a draft and before linkedin.draft.approve; correct it with linkedin.draft.update.",
  category: "linkedin",
  risk: "read",
  scope: "linkedin:read",
  input: Schema.Struct({
    draft_id: optional(DraftIdText),
    body_text: optional(
      nonEmptyMessage(
        longestChecked,
        "A text that is not stored; with draft_id, one that would take the place of its texts"
      )
    ),
    lead_id: optional(nonEmptyLine(64, "With body_text alone: id of the lead it is for")),
    mission_id: optional(nonEmptyLine(64, "With body_text alone: id or handle of the mission it is for"))
  }),
  output: Schema.Struct({ findings: Schema.Array(Finding) }),
  outputNotes: [
    "error: must not be sent so; warning: should be looked at; info: could be better. Empty when nothing was found.",
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
      return yield* fail("INVALID_INPUT", "draft_id or body_text: one of them is required. Add it.")
    }
    if (draft_id !== undefined && (lead_id !== undefined || mission_id !== undefined)) {
      return yield* fail("INVALID_INPUT", "lead_id and mission_id: the draft says them. Leave them out with draft_id.")
    }
    const { organizationId } = yield* Actor
    const request = { draftId: draft_id, leadId: lead_id, mission: mission_id }
    const facts = yield* (yield* DraftChecksRepo).facts(organizationId, request)
    if (draft_id !== undefined && facts.draft === undefined) return yield* notFound("draft", draft_id)
    if (lead_id !== undefined && facts.lead === undefined) return yield* notFound("lead", lead_id)
    if (mission_id !== undefined && facts.mission === undefined) return yield* notFound("mission", mission_id)
    const context = contextOf(facts)
    const findings = textsOf(body_text, facts.draft).flatMap(([path, text]) => checkMessage(path, text, context))
    return { findings }
  })
})
