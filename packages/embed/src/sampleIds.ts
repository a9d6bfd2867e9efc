/** Ids of the sample data. */
import { Ids } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Ids such as `drf_SAMPLE00000000000000000001`, counted for each prefix. */
export const sampleIds: Layer.Layer<Ids> = Layer.sync(Ids, () => {
  const counts = new Map<string, number>()
  const make = (prefix: string) => {
    const count = (counts.get(prefix) ?? 0) + 1
    counts.set(prefix, count)
    return `${prefix}_SAMPLE${String(count).padStart(20, "0")}`
  }
  return { next: (prefix) => Effect.sync(() => make(prefix)), maker: Effect.succeed(make) }
})
