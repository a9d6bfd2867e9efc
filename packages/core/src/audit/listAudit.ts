/** Reading a page of audit rows, sealing what the page shows unsealed. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Failure } from "../Failure.ts"
import { type CursorSecret, readPage } from "../Page.ts"
import { Instant } from "../Time.ts"
import { AuditLog } from "./AuditLog.ts"
import type { AuditRecord } from "./AuditRecord.ts"

const text = Schema.String

/** Who did it: a person, a program, or an operator, who makes organizations and keys from outside of them. */
export const AuditActorKind = Schema.Literals(["USER", "AI_AGENT", "OPERATOR"])

/** An audit row as readers get it. */
export const AuditEntryView = Schema.Struct({
  id: text,
  sequence: Schema.NullOr(Schema.Int).annotate({ description: "Place in the organization's chain, from 1" }),
  created_at: Instant,
  actor: Schema.Struct({ kind: AuditActorKind, user_id: text, key_id: Schema.NullOr(text) }),
  command_id: text.annotate({
    description: "The command; of a REST endpoint its internal one, such as rest.offers.create"
  }),
  command_hash: text.annotate({ description: "Hash of organization, command and input, as in meta.command_hash" }),
  subject: Schema.NullOr(Schema.Struct({ type: text, id: text })).annotate({ description: "What was changed first" }),
  outcome: text.annotate({ description: "ok, approval_required, or the code of the refusal" }),
  hash: Schema.NullOr(text).annotate({ description: "SHA-256 over the row before it and this row" })
})

const viewOf = (record: AuditRecord): typeof AuditEntryView.Type => ({
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

/** Rows sealed for one reader; the rest of a great many is left to the next one. */
const sealedAtOnce = 2_000

/** Reads a page. One statement when everything on it is sealed. */
export const listAudit = <
  I extends {
    readonly command_id?: string
    readonly actor_kind?: typeof AuditActorKind.Type
    readonly outcome?: string
    readonly after?: string
    readonly before?: string
    readonly cursor?: string
    readonly limit: number
  }
>(
  organizationId: string,
  list: string,
  input: I
): Effect.Effect<
  { readonly items: ReadonlyArray<typeof AuditEntryView.Type>; readonly nextCursor: string | null },
  Failure,
  AuditLog | CursorSecret
> =>
  Effect.gen(function* () {
    const log = yield* AuditLog
    const { actor_kind: actorKind, after, before, command_id: commandId, outcome } = input
    const filter = { commandId, actorKind, outcome, after, before }
    const page = yield* readPage(organizationId, list, input, (request) =>
      Effect.gen(function* () {
        const read = log.list(organizationId, filter, request)
        const first = yield* read
        if (first.items.every(({ hash }) => hash !== null)) return first
        yield* log.seal(organizationId, sealedAtOnce)
        return yield* read
      })
    )
    return { items: page.items.map(viewOf), nextCursor: page.nextCursor }
  })
