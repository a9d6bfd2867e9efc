import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { InvalidInput } from "../../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../../kernel/schema/TextFields.ts"
import { DraftOpen, LeadSuppressed, lookupFailures } from "../../../leads/failures.ts"
import { holdFoundLead } from "../../../leads/findLead.ts"
import { leadIdentifierFields } from "../../../leads/LeadInput.ts"
import type { StoredLead } from "../../../leads/LeadsRepo.ts"
import { MissionArchived } from "../../../missions/failures.ts"
import { changeFailures } from "../../failures.ts"
import { createDraft } from "../createDraft.ts"
import { ModelName, textsOf, Variations, warnOfLength } from "../DraftInput.ts"
import { draftOf } from "../DraftView.ts"
import { EvidenceInput } from "../Evidence.ts"
import { LinkedInDraft } from "../LinkedInDraft.ts"

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

/** Stores a draft. Fails as the command does, before anything is written. */
export const createOne = Effect.fnUntraced(function* <E, R>(
  input: typeof Input.Type,
  lead: Effect.Effect<StoredLead, E, R>
) {
  const { agent_handle, agent_id, evidence = [], mission_id, model, replace_open, variations } = input
  if (agent_handle !== undefined && agent_id !== undefined && agent_handle !== agent_id) {
    return yield* new InvalidInput({ message: "agent_handle and agent_id are alternatives. Send one of them." })
  }
  return yield* createDraft({
    variations: textsOf(variations),
    lead,
    agent: agent_handle ?? agent_id,
    mission: mission_id,
    replaceOpen: replace_open,
    model,
    evidence
  })
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
  category: "linkedin",
  risk: "mutate",
  scope: "linkedin:draft",
  sharesTransaction: true,
  unlisted: ["custom_id", "linkedin_id", "sales_nav_id", "model"],
  effects: { does: ["drafts"], channels: [] },
  input: Input,
  output: Schema.Struct({ draft: LinkedInDraft }),
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
  run: Effect.fnUntraced(function* (input) {
    const view = yield* createOne(input, holdFoundLead(input))
    yield* warnOfLength(textsOf(input.variations))
    return { draft: draftOf(view) }
  })
})
