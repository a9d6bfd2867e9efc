/**
 * Sealing in the background: audit rows are chained a little after they were written, whether anybody reads them or not.
 *
 * A round takes the organizations whose rows wait longest, and a bounded batch of each; an organization that another
 * process seals right now is left to it. Source: contract 1 (audit of every change); issue 3, "Events and audit".
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type { Failure } from "../Failure.ts"
import { AuditLog } from "./AuditLog.ts"

/** How often the worker looks when nothing is left to seal. */
const interval = "15 seconds"

/** Most organizations of one round, and most rows of each. */
export const mostSealed = { organizations: 100, rows: 500 } as const

/** Seals one round; answers whether more waits. */
export const sealWaiting = Effect.fnUntraced(function* (): Effect.fn.Return<boolean, Failure, AuditLog> {
  const log = yield* AuditLog
  const waiting = yield* log.unsealed(mostSealed.organizations)
  const sealed = yield* Effect.forEach(waiting, (organizationId) => log.sealIfFree(organizationId, mostSealed.rows))
  return sealed.includes(mostSealed.rows) || (waiting.length === mostSealed.organizations && sealed.some((n) => n > 0))
})

const round = Effect.catchCause(Effect.repeat(sealWaiting(), { while: (isMore) => isMore }), (cause) =>
  Effect.logError("audit rows were not sealed", cause)
)

/** Works as long as the layer lives. */
export const layer: Layer.Layer<never, never, AuditLog> = Layer.effectDiscard(
  Effect.forkScoped(Effect.repeat(round, Schedule.spaced(interval)))
)
