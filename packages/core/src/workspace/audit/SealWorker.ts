/**
 * Seals audit rows in the background, a little after they are written.
 *
 * A round begins with the organizations whose rows wait longest, a bounded batch of each at a time; it skips organizations that
 * another process is sealing.
 */

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DueWork } from "../../kernel/background/DueWork.ts"
import { eachDue, repeatRound, runAsService, type SystemNeeds } from "../../kernel/background/Worker.ts"
import { emit } from "../../kernel/command/Execution.ts"
import type { OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import { countSealedRows } from "../../kernel/telemetry/instruments.ts"
import { Workspaces } from "../Workspaces.ts"
import { headText } from "./AuditRecord.ts"

/** What sealing needs. */
export type SealNeeds = DueWork | Workspaces | SystemNeeds<never>

/** Interval of rounds when nothing is left to seal. */
const interval = "15 seconds"

/** Maximum rows of a round, and of one transaction. */
const maxSealed = { rows: 50_000, batch: 500 } as const

/** Rows between two events with the head. */
const rowsPerEvent = 1_000

/** Seals rows of an organization, and emits the head for every thousand rows. */
const sealSome = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const log = (yield* Workspaces).audit
  const count = yield* log.sealIfFree(organizationId, maxSealed.batch)
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

/** Runs one round; returns whether more rows may wait. */
export const sealRound = Effect.fnUntraced(function* () {
  return (yield* eachDue("audit", { limit: maxSealed.rows, batch: maxSealed.batch }, sealSome)) >= maxSealed.rows
})

/** Seals until no row waits. Fails with UNAVAILABLE when the store is unreachable. */
export const sealAll = Effect.repeat(sealRound(), { while: (isMore) => isMore })

/** Runs as long as the layer. */
export const layer: Layer.Layer<never, never, SealNeeds> = Layer.effectDiscard(
  repeatRound("sealing audit rows", sealAll, interval)
)
