/** The missions and agents by name, and what the organization defined for its leads, for filters and choices of every place. */
import { signal } from "@preact/signals"
import type { Options } from "../form/values.ts"
import { run } from "./request.ts"
import type { ResultOf } from "./shapes.ts"

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

/** The own fields of leads. */
export const ownFields = signal<ResultOf<"lead.field.list">["fields"]>([])
export const savedFilters = signal<ResultOf<"lead.filter.list">["filters"]>([])

/** Reads both again. */
export const readOwn = async (): Promise<void> => {
  const [found, saved] = await Promise.all([run("lead.field.list", {}), run("lead.filter.list", {})])
  if (found.ok) ownFields.value = found.data.fields
  if (saved.ok) savedFilters.value = saved.data.filters
}
