import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { InvalidCursor } from "../../../kernel/failure/failures.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../../kernel/schema/Page.ts"
import { isoDateTime, line } from "../../../kernel/schema/TextFields.ts"
import { KeyIdText } from "../../keys/KeyView.ts"
import { AuditActorKind, AuditEntryView, auditEntryOf } from "../AuditEntryView.ts"
import { AuditLog, maxSealedForReader } from "../AuditLog.ts"

/** The filters of a list of audit rows. */
const auditFilters = {
  command_id: Schema.optionalKey(line(100, "Only runs of this command. For example lead.erase")),
  key_id: Schema.optionalKey(
    KeyIdText.annotate({ description: "Only runs with this key: the 12 characters in the middle of the key" })
  ),
  actor_kind: Schema.optionalKey(
    AuditActorKind.annotate({ description: "Only runs by people, by AI agents, or by operators" })
  ),
  outcome: Schema.optionalKey(line(64, "Only runs with this outcome: ok, approval_required or an error code")),
  after: Schema.optionalKey(
    isoDateTime.pipe(Schema.annotateEncoded({ description: "Only rows written after this time, ISO 8601" }))
  ),
  before: Schema.optionalKey(
    isoDateTime.pipe(Schema.annotateEncoded({ description: "Only rows written before this time, ISO 8601" }))
  ),
  cursor: CursorText,
  limit: Limit
}

/** `audit.list`: who did what, newest first. */
export const ListAudit = Command.make({
  id: "audit.list",
  title: "List audit rows",
  summary: "List audited runs and their outcome, newest first",
  description:
    "Every run of a command that changes something leaves a row: actor, key, command, hash of the input, subject and " +
    "outcome, including runs refused for scope, state or provider reasons. So do operators' actions on keys. Rows " +
    "are numbered and chained by hashes a moment after they are written, so svc audit verify can prove that none was " +
    "changed or removed.",
  whenToUse: "To see who did something, or what a key was used for.",
  category: "workspace",
  risk: "read",
  scope: "audit:read",
  input: Schema.Struct(auditFilters),
  output: Schema.Struct({ entries: Schema.Array(AuditEntryView), next_cursor: NextCursor }),
  failures: [InvalidCursor],
  outputNotes: ["sequence and hash are null until the row is sealed."],
  relatedCommands: ["audit.head", "key.list", "approval.list"],
  examples: [
    { title: "The latest ten", input: { limit: 10 } },
    { title: "What one key was used for", input: { key_id: "aaaaaaaaaaaa" } },
    { title: "What AI agents did with drafts", input: { actor_kind: "AI_AGENT", command_id: "linkedin.draft.create" } }
  ],
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const log = yield* AuditLog
    const { actor_kind: actorKind, after, before, command_id: commandId, key_id: keyId, outcome } = input
    const filter = { commandId, keyId, actorKind, outcome, after, before }
    const page = yield* readPage(organizationId, "audit", input, (request) =>
      Effect.gen(function* () {
        const read = log.list(organizationId, filter, request)
        const first = yield* read
        if (first.items.every(({ hash }) => hash !== null)) return first
        yield* log.seal(organizationId, maxSealedForReader)
        return yield* read
      })
    )
    return { entries: page.items.map(auditEntryOf), next_cursor: page.nextCursor }
  })
})
