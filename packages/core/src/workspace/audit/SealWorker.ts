/**
 * Seals audit rows in the background, a little after they are written.
 *
 * A round takes the organizations whose rows wait longest, and a bounded batch of each; it skips organizations that
 * another process is sealing.
 */

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { repeatRound, runAsService, type SystemNeeds } from "../../kernel/background/Worker.ts"
import { emit } from "../../kernel/command/Execution.ts"
import type { OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import { countSealedRows } from "../../kernel/telemetry/instruments.ts"
import { Workspaces } from "../Workspaces.ts"
import { headText } from "./AuditRecord.ts"

/** What sealing needs. */
export type SealNeeds = Workspaces | SystemNeeds<never>

/** Interval of rounds when nothing is left to seal. */
const interval = "15 seconds"

/** Maximum organizations of a round, and rows of each. */
export const maxSealed = { organizations: 100, rows: 500 } as const

/** Rows between two events with the head. */
const rowsPerEvent = 1_000

/** Seals rows of an organization, and emits the head for every thousand rows. */
const sealSome = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const log = (yield* Workspaces).audit
  const count = yield* log.sealIfFree(organizationId, maxSealed.rows)
  if (count === 0) return 0
  yield* countSealedRows(count)
  const head = yield* log.head(organizationId)
  if (Math.floor((head.sequence - count) / rowsPerEvent) === Math.floor(head.sequence / rowsPerEvent)) return count
  const data = { head: headText(organizationId, head), sequence: head.sequence }
  yield* runAsService(
    organizationId,
    emit({ type: "audit.head", subject: { type: "organization", id: organizationId }, data })
  )
  return count
})

/** Runs one round; returns whether more rows wait. */
export const sealRound = Effect.fnUntraced(function* () {
  const log = (yield* Workspaces).audit
  const waiting = yield* log.unsealed(maxSealed.organizations)
  const sealed = yield* Effect.forEach(waiting, (organizationId) => sealSome(organizationId))
  return sealed.includes(maxSealed.rows) || (waiting.length === maxSealed.organizations && sealed.some((n) => n > 0))
})

/** Seals until no row waits. Fails with UNAVAILABLE when the store is unreachable. */
export const sealAll = Effect.repeat(sealRound(), { while: (isMore) => isMore })

/** Runs as long as the layer. */
export const layer: Layer.Layer<never, never, SealNeeds> = Layer.effectDiscard(
  repeatRound("sealing audit rows", sealAll, interval)
)
