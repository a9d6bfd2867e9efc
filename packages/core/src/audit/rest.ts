/** Audit rows behind REST. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../Actor.ts"
import * as Command from "../Command.ts"
import { NextCursor } from "../Page.ts"
import { ListAudit } from "./commands/ListAudit.ts"
import { AuditEntryView, listAudit } from "./listAudit.ts"

/** GET /api/v1/audit. */
export const RestListAudit = Command.make({
  ...ListAudit,
  id: "rest.audit.list",
  visibility: "internal",
  output: Schema.Struct({ entries: Schema.Array(AuditEntryView), nextCursor: NextCursor }),
  compact: (output) => ({ output, warnings: [] }),
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const page = yield* listAudit(organizationId, "rest.audit", input)
    return { entries: page.items, nextCursor: page.nextCursor }
  })
})

/** The commands behind the REST endpoints of the audit. */
export const restCommands = [RestListAudit] as const
