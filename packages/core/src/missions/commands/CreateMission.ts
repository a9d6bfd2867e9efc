import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { DuplicateHandle, NotFound } from "../../kernel/failure/failures.ts"
import { compactOne } from "../compactMission.ts"
import { CommandMission, missionRecord, showMission } from "../Mission.ts"
import { missionCreateFields, settingNames } from "../MissionInput.ts"
import { createMission } from "../writeMission.ts"

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
  input: Schema.Struct(missionCreateFields),
  output: Schema.Struct({ mission: CommandMission }),
  failures: [DuplicateHandle, NotFound],
  riskNotes: ["Creates one mission; imports nobody and sends nothing."],
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
  run: ({ brief, handle, status, ...write }) => createMission({ write, brief, handle, status })
})
