/** An audit row as readers get it. */

import * as Schema from "effect/Schema"
import { Instant } from "../../kernel/schema/Time.ts"
import type { AuditRecord } from "./AuditRecord.ts"

const text = Schema.String

/** A person, an AI agent, or an operator, who manages organizations and keys from outside them. */
export const AuditActorKind = Schema.Literals(["USER", "AI_AGENT", "OPERATOR"])

/** One audit row. */
export const AuditEntryView = Schema.Struct({
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
export const auditEntryOf = (record: AuditRecord): typeof AuditEntryView.Type => ({
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
