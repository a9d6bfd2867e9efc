import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { DuplicateHandle, NotFound } from "../../kernel/failure/failures.ts"
import { compactOne } from "../compactMission.ts"
import { CommandMission, missionRecord, showMission } from "../Mission.ts"
import { missionCreateFields, settingNames } from "../MissionInput.ts"
import { createMission, defaultStrategy, includedIn } from "../writeMission.ts"

/** `mission.create`: creates a mission. */
export const CreateMission = Command.make({
  id: "mission.create",
  title: "Create a mission",
  summary: "Create a mission from an agent, an offer and a brief",
  description:
    "Creates a mission with its brief: target audience, desired action, tone, and the offer it promotes. With an " +
    "agent it is active immediately; without one it is a draft: set the agent with mission.update, then start it " +
    "with mission.resume. Send the brief flat or nested under brief.",
  whenToUse: "Before importing leads for a campaign. Check mission.list first: each call creates a new mission.",
  category: "missions",
  risk: "mutate",
  scope: "missions:write",
  includes: includedIn,
  input: Schema.Struct(missionCreateFields),
  output: Schema.Struct({ mission: CommandMission }),
  failures: [DuplicateHandle, NotFound],
  riskNotes: [
    "Creates one mission; imports nobody and sends nothing.",
    "With email_review_strategy AUTO its emails are sent without review, so it obeys policies for email.review.decide."
  ],
  outputNotes: ["The stored mission. Other commands accept its id or its handle."],
  relatedCommands: [
    "mission.update",
    "mission.resume",
    "mission.list",
    "agent.list",
    "offer.list",
    "import.sales-nav.search"
  ],
  relatedResources: ["svc://status"],
  examples: [
    {
      title: "A mission for the sample offer",
      input: {
        name: "Autumn outreach",
        agent_handle: "ada-martin",
        offer_id: "sample-offer",
        target_audience: "Heads of finance in companies of 50 to 500 people",
        desired_action: "Book a call of 20 minutes",
        tone_instructions: "Friendly, short, one question at the end"
      }
    },
    { title: "Name only, as a draft", input: { name: "Idea for winter" } }
  ],
  compact: compactOne,
  unlisted: ["example_messages", ...settingNames.create],
  show: showMission,
  record: missionRecord,
  // Whoever approves the request reads it, and would have another default.
  pin: ({ email_review_strategy }) =>
    email_review_strategy === undefined
      ? Effect.map(defaultStrategy, (strategy) => ({ email_review_strategy: strategy }))
      : Effect.succeed({}),
  run: ({ brief, handle, status, ...write }) => createMission({ write, brief, handle, status })
})
