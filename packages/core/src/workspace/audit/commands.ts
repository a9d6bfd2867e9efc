/** The audit log. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { Actor } from "../../kernel/command/Execution.ts"
import { InvalidCursor } from "../../kernel/failure/failures.ts"
import { Instant } from "../../kernel/schema/IdsAndTime.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../kernel/schema/Page.ts"
import { isoDateTime, line } from "../../kernel/schema/TextFields.ts"
import { KeyIdText } from "../keys/KeyView.ts"
import { Workspaces } from "../Workspaces.ts"
import { type AuditRecord, headText } from "./AuditRecord.ts"

const text = Schema.String

/** Maximum rows sealed for one reader; the rest is left to the next. */
const maxSealedForReader = 2_000

/** A person, an AI agent, or an operator, who manages organizations and keys from outside them. */
const AuditActorKind = Schema.Literals(["USER", "AI_AGENT", "OPERATOR"])

/** One audit row. */
const AuditEntryView = Schema.Struct({
  id: text,
  sequence: Schema.NullOr(Schema.Int).annotate({ description: "Position in the organization's chain, starting at 1" }),
  created_at: Instant,
  actor: Schema.Struct({ kind: AuditActorKind, user_id: text, key_id: Schema.NullOr(text) }),
  command_id: text.annotate({ description: "The command that ran, on whatever surface" }),
  command_hash: text.annotate({ description: "Hash of organization, command and input, as in meta.command_hash" }),
  subject: Schema.NullOr(Schema.Struct({ type: text, id: text })).annotate({ description: "The first object changed" }),
  outcome: text.annotate({ description: "ok, approval_required, or the error code" }),
  hash: Schema.NullOr(text).annotate({ description: "SHA-256 of the previous row's hash and this row" })
})

/** The view of an audit row. */
const auditEntryOf = (record: AuditRecord): typeof AuditEntryView.Type => ({
  id: record.id,
  sequence: record.sequence,
  created_at: record.createdAt,
  actor: { kind: record.actorKind, user_id: record.userId, key_id: record.keyId },
  command_id: record.commandId,
  command_hash: record.commandHash,
  subject: record.subject,
  outcome: record.outcome,
  hash: record.hash
})

/** `audit.head`: the end of the audit chain, to be kept elsewhere. */
const GetAuditHead = Command.make({
  id: "audit.head",
  title: "Get the head of the audit chain",
  summary: "Get the head of the audit chain, to keep elsewhere",
  description:
    "Returns the number and hash of the last sealed audit row. Somebody who can write to the database could cut the chain back " +
    "to an earlier end; svc audit verify --expect HEAD finds that, if the head was kept outside of the database.",
  whenToUse: "Regularly, to keep proof of the audit rows where the database's administrators cannot change it.",
  category: "workspace",
  risk: "read",
  scope: "audit:read",
  input: Schema.Struct({}),
  output: Schema.Struct({
    head: Schema.String.annotate({ description: "ORGANIZATION:SEQUENCE:HASH, for svc audit verify --expect" }),
    sequence: Schema.Int.annotate({ description: "Number of the last sealed row; 0 if there is none" }),
    hash: Schema.String.annotate({ description: "Its hash; empty if there is none" })
  }),
  failures: [],
  outputNotes: ["Events of the type audit.head carry the same, once for every thousand rows."],
  relatedCommands: ["audit.list"],
  examples: [{ title: "The head", input: {} }],
  run: Effect.fnUntraced(function* () {
    const { organizationId } = yield* Actor
    const log = (yield* Workspaces).audit
    yield* log.seal(organizationId, maxSealedForReader)
    const head = yield* log.head(organizationId)
    return { head: headText(organizationId, head), sequence: head.sequence, hash: head.hash }
  })
})

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
const ListAudit = Command.make({
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
    const log = (yield* Workspaces).audit
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

/** The commands of this domain. */
export const commands = [ListAudit, GetAuditHead] as const
