import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { fail } from "../../Failure.ts"
import { findLead, leadIdentifierFields } from "../../leads/index.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { createDraft } from "../createDraft.ts"
import { textsOf, Variations, warnOfLength } from "../DraftInput.ts"
import { draftOf } from "../DraftView.ts"
import { LinkedInDraft } from "../LinkedInDraft.ts"

/** `linkedin.draft.create`: writes a message for review. */
export const CreateDraft = Command.make({
  id: "linkedin.draft.create",
  title: "Draft a LinkedIn message",
  summary: "Write up to three variations of a LinkedIn message for review.",
  description:
    "Stores a draft for one lead in status PENDING_REVIEW; nothing is sent. A lead has at most one open draft with an " +
    "agent: replace_open cancels the one that is there. Without an agent the mission's agent writes, else the only one.",
  whenToUse:
    "After reading the lead with lead.get, when there is something worth saying. A person approves afterwards.",
  category: "linkedin",
  risk: "mutate",
  scope: "linkedin:draft",
  input: Schema.Struct({
    variations: Variations,
    ...leadIdentifierFields,
    agent_handle: Schema.optionalKey(nonEmptyLine(64, "Handle of the agent who writes")),
    agent_id: Schema.optionalKey(nonEmptyLine(64, "Id of the agent who writes, instead of the handle")),
    mission_id: Schema.optionalKey(nonEmptyLine(64, "Id or handle of the mission that the message belongs to")),
    replace_open: Schema.Boolean.annotate({
      description: "True cancels the lead's open draft with this agent first",
      default: false
    }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
  }),
  output: Schema.Struct({ draft: LinkedInDraft }),
  riskNotes: ["Writes one draft; sends nothing."],
  outputNotes: ["The draft as stored; positions of variations count from 0.", "A warning names a text that is long."],
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
    const { agent_handle, agent_id, mission_id, replace_open, variations, ...reference } = input
    if (agent_handle !== undefined && agent_id !== undefined && agent_handle !== agent_id) {
      return yield* fail("INVALID_INPUT", "agent_handle and agent_id both name the agent. Send one of them.")
    }
    const texts = textsOf(variations)
    const lead = yield* findLead(reference)
    const request = { variations: texts, lead, agent: agent_handle ?? agent_id, mission: mission_id }
    const view = yield* createDraft({ ...request, replaceOpen: replace_open })
    yield* warnOfLength(texts)
    return { draft: draftOf(view) }
  })
})
