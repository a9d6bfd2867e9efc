/** What is known of every run of a command afterwards: it is counted, and timed. Source: contract 3 (observability). */
import * as Effect from "effect/Effect"
import type { Answer } from "./Dispatch.ts"
import { commandEnded } from "./instruments.ts"

/** A run that is counted when it ends. `id` is undefined when the catalogue has no such command. */
export const observed = (id: string | undefined, run: Effect.Effect<Answer>): Effect.Effect<Answer> =>
  Effect.clockWith((clock) => {
    const began = clock.currentTimeNanosUnsafe()
    return Effect.tap(run, ({ envelope }) =>
      commandEnded(
        id ?? "unknown",
        envelope.ok ? "ok" : envelope.error.code,
        Number(clock.currentTimeNanosUnsafe() - began) / 1e9
      )
    )
  })
