/** What the overview shows, as the service says it. */
import { signal } from "@preact/signals"
import { run } from "../service/request.ts"
import type { ResultOf } from "../service/shapes.ts"

/** See above; undefined until it is read, a text when it could not be. */
type Fact<A> = A | string | undefined

export const activity = signal<Fact<ResultOf<"mission.activity">>>(undefined)
export const forecast = signal<Fact<ResultOf<"linkedin.queue.forecast">>>(undefined)
export const usage = signal<Fact<ResultOf<"linkedin.usage.get">>>(undefined)
export const imports = signal<Fact<ResultOf<"import.list">>>(undefined)

/** Reads all of it. */
export const readFacts = async (missionId: string): Promise<void> => {
  const of = missionId === "" ? {} : { mission_id: missionId }
  await Promise.all([
    run("mission.activity", of).then((found) => {
      activity.value = found.ok ? found.data : found.problem.message
    }),
    run("linkedin.queue.forecast", {}).then((found) => {
      forecast.value = found.ok ? found.data : found.problem.message
    }),
    run("linkedin.usage.get", {}).then((found) => {
      usage.value = found.ok ? found.data : found.problem.message
    }),
    run("import.list", { ...of, limit: 10 }).then((found) => {
      imports.value = found.ok ? found.data : found.problem.message
    })
  ])
}
