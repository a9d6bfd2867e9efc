/** The compact profile of a mission: three examples cut at 280 characters, three imports. Source: G23. */
import { shorten, shortLength } from "../shorten.ts"
import type { CommandMission } from "./Mission.ts"

const kept = 3
/** The mission with fewer and shorter parts, and what was left out. */
export const compactMission = (
  mission: CommandMission
): { readonly output: CommandMission; readonly warnings: ReadonlyArray<string> } => {
  const { brief, imports } = mission
  const examples = brief.example_messages
  const cut = imports.length > kept || examples.length > kept || examples.some((text) => text.length > shortLength)
  return {
    output: {
      ...mission,
      brief: { ...brief, example_messages: examples.slice(0, kept).map(shorten) },
      imports: imports.slice(0, kept)
    },
    warnings: cut
      ? [`compact: examples and imports of mission ${mission.id} are shortened; ask for response_profile full`]
      : []
  }
}

/** {@link compactMission} for an output that holds one mission. */
export const compactOne = ({ mission }: { readonly mission: CommandMission }) => {
  const { output, warnings } = compactMission(mission)
  return { output: { mission: output }, warnings }
}
