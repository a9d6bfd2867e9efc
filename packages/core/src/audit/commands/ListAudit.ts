import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { CursorText, Limit, NextCursor } from "../../Page.ts"
import { isoDateTime, line } from "../../TextFields.ts"
import { AuditActorKind, AuditEntryView, listAudit } from "../listAudit.ts"

/** The filters of a list of audit rows. */
export const auditFilters = {
  command_id: Schema.optionalKey(line(100, "Only runs of this command, such as lead.erase")),
  actor_kind: Schema.optionalKey(
    AuditActorKind.annotate({ description: "Only what people did, what programs did, or what operators did" })
  ),
  outcome: Schema.optionalKey(line(64, "Only runs that ended so: ok, approval_required or an error code")),
  after: Schema.optionalKey(
    isoDateTime.pipe(Schema.annotateEncoded({ description: "Only rows written after this instant, ISO 8601" }))
  ),
  before: Schema.optionalKey(
    isoDateTime.pipe(Schema.annotateEncoded({ description: "Only rows written before this instant, ISO 8601" }))
  ),
  cursor: CursorText,
  limit: Limit
}

/** `audit.list`: who did what, newest first. */
export const ListAudit = Command.make({
  id: "audit.list",
  title: "List audit rows",
  summary: "Read who did what in the organization and how it ended, newest first.",
  description:
    "Every run of a command that changes something leaves a row: actor, key, command, hash of the input, subject and " +
    "outcome; refusals by right, state or provider too. So does what operators do to its keys. Rows are numbered and chained by hashes a moment after they are " +
    "written, so svc audit verify can prove that none was changed or removed.",
  whenToUse: "To see who did something, or what a key was used for.",
  category: "workspace",
  risk: "read",
  scope: "audit:read",
  input: Schema.Struct(auditFilters),
  output: Schema.Struct({ entries: Schema.Array(AuditEntryView), next_cursor: NextCursor }),
  outputNotes: ["sequence and hash are null while a row is not sealed yet."],
  relatedCommands: ["key.list", "approval.list"],
  examples: [
    { title: "The latest ten", input: { limit: 10 } },
    { title: "What programs did to drafts", input: { actor_kind: "AI_AGENT", command_id: "linkedin.draft.create" } }
  ],
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const page = yield* listAudit(organizationId, "audit", input)
    return { entries: page.items, next_cursor: page.nextCursor }
  })
})
