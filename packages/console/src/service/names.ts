/** The missions and agents by name, for filters and choices of every place. */
import { signal } from "@preact/signals"
import type { Options } from "../form/values.ts"
import { run } from "./request.ts"

export const missions = signal<Options>([])
export const agents = signal<Options>([])

/** Reads the names again. */
export const readNames = async (): Promise<void> => {
  const [found, people] = await Promise.all([run("mission.list", { limit: 100 }), run("agent.list", { limit: 100 })])
  if (found.ok) missions.value = found.data.missions.map(({ id, name }) => [id, name])
  if (people.ok) {
    agents.value = people.data.agents.map(({ firstName, handle, lastName }) => [handle, `${firstName} ${lastName}`])
  }
}
