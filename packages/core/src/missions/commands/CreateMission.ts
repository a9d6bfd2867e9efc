import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { mergeBrief } from "../applyMissionWrite.ts"
import { compactOne } from "../compactMission.ts"
import { CommandMission, commandMissionOf } from "../Mission.ts"
import { missionCreateFields } from "../MissionInput.ts"
import { createMission } from "../writeMission.ts"

/** `mission.create`: stores a new campaign. */
export const CreateMission = Command.make({
  id: "mission.create",
  title: "Create a mission",
  summary: "Store a campaign that ties an agent, an offer and a brief together.",
  description:
    "Creates a mission with its brief: whom it addresses, what they should do, how messages should sound, and which offer " +
    "it proposes. With an agent it is active at once; without one it is a draft: name the agent with mission.update, then " +
    "start it with mission.resume. The brief may be sent flat or nested under brief.",
  whenToUse:
    "Before importing leads for a campaign. Look with mission.list first; a call creates a new mission each time.",
  category: "missions",
  risk: "mutate",
  scope: "missions:write",
  input: Schema.Struct(missionCreateFields),
  output: Schema.Struct({ mission: CommandMission }),
  riskNotes: ["Writes one mission; imports nobody and sends nothing."],
  outputNotes: ["The mission as stored. Its id names it in other commands, as its handle does."],
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
    { title: "Only a name, as a draft", input: { name: "Idea for winter" } }
  ],
  compact: compactOne,
  run: Effect.fnUntraced(function* ({ agent_handle, brief, handle, language, name, ...flat }) {
    const merged = yield* Effect.fromResult(mergeBrief(flat, brief))
    const write = {
      ...merged,
      name,
      ...(agent_handle === undefined ? {} : { agentHandle: agent_handle }),
      ...(language === undefined ? {} : { language })
    }
    return { mission: commandMissionOf(yield* createMission({ write, brief, handle, status: undefined })) }
  })
})
