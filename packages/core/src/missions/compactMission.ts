/** The compact profile of a mission: three examples cut at 280 characters, three imports. */
import { compactField, compactItems } from "../kernel/schema/compact.ts"
import { shorten, shortLength } from "../kernel/schema/shorten.ts"
import type { CommandMission } from "./Mission.ts"

const kept = 3
/** The mission with fewer and shorter parts, and a warning if any were cut. */
const compactMission = (
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
      ? [`compact: examples and imports of mission ${mission.id} are shortened; use response_profile full for all`]
      : []
  }
}

/** {@link compactMission} for an output with one mission. */
export const compactOne = compactField("mission", compactMission)

/** {@link compactMission} for a page of missions. */
export const compactMissions = compactItems("missions", compactMission)
