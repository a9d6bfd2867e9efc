/**
 * Running a command: read, decide, then write everything in one statement, which is the transaction. What changed since it was
 * read makes the statement write nothing, or fail, and the command runs again.
 */
import { isTaken, type Query, type Statement } from "./database.ts"
import { Failure } from "./Failure.ts"
import type { Actor } from "./keys.ts"
import { canonicalJson, makeId, sha256 } from "./text.ts"

/** A run of a command. */
export interface Call<Input> {
  readonly query: Query
  readonly actor: Actor
  readonly input: Input
  readonly at: string
}

/** What a command is about to write: `values` are the parameters of its statement after those of {@link withJournal}. */
export interface Plan {
  readonly statement: Statement
  readonly values: ReadonlyArray<unknown>
  readonly subject: { readonly type: string; readonly id: string } | undefined
  readonly event: { readonly type: string; readonly data: object } | undefined
  readonly output: object
}

/** A command: its `plan` reads and decides. */
export interface Command<Input> {
  readonly id: string
  readonly scope: string
  readonly plan: (call: Call<Input>) => Promise<Plan>
}

/** Options of a run. */
export interface Options {
  readonly isDryRun: boolean
  readonly idempotencyKey: string | undefined
}

/** The body of every response to a command. */
export interface Envelope {
  readonly ok: boolean
  readonly status: number
  readonly data?: object
  readonly error?: { readonly code: string; readonly message: string }
  readonly meta: {
    readonly approval_required: boolean
    readonly approval_request_id: string
    readonly command_hash: string
    readonly warnings: ReadonlyArray<string>
  }
}

/** An envelope, and whether it is that of an earlier request. */
export interface Outcome {
  readonly envelope: Envelope
  readonly isReplayed: boolean
}

const maxAttempts = 5

/** Parameters of the journal come first. */
export const journalParameters = 15

/**
 * The statement that makes `changes`, of which the part `written` has one row if they took place, with event, audit row and
 * idempotency key; returns how many rows were written.
 */
export const withJournal = (name: string, changes: string): Statement => ({
  name,
  text: `with ${changes},
    event as (
      insert into events (organization_id, id, type, subject_type, subject_id, actor_kind, actor_id, data, created_at)
      select $1::text, $11::text, $12::text, $9::text, $10::text, $2::text, $3::text, $13::jsonb, $8::timestamptz
      from written where $11::text is not null
    ), audit as (
      insert into audit_entries (organization_id, id, actor_kind, user_id, key_id, command_id, command_hash,
        subject_type, subject_id, outcome, created_at)
      select $1::text, $7::text, $2::text, $3::text, $4::text, $5::text, $6::text, $9::text, $10::text, 'ok',
        $8::timestamptz
      from written
    ), remembered as (
      insert into idempotency_keys (organization_id, route, key, fingerprint, envelope, created_at)
      select $1::text, $5::text, $14::text, $6::text, $15::jsonb, $8::timestamptz
      from written where $14::text is not null
    )
    select count(*)::int as written from written`
})

const findKey = {
  name: "idempotency_key",
  text: "select fingerprint, envelope from idempotency_keys where organization_id = $1 and route = $2 and key = $3"
}

const noteFailure = {
  name: "note_failure",
  text: `insert into audit_entries (organization_id, id, actor_kind, user_id, key_id, command_id, command_hash,
      subject_type, subject_id, outcome, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, null, null, $8, $9::timestamptz)`
}

interface StoredKey {
  readonly fingerprint: string
  readonly envelope: Envelope
}

/** The envelope of a failure. */
export const failureEnvelope = (failure: Failure, hash: string): Envelope => ({
  ok: false,
  status: failure.status,
  error: { code: failure.code, message: failure.message },
  meta: { approval_required: false, approval_request_id: "", command_hash: hash, warnings: failure.warnings }
})

const attempt = async <Input>(
  command: Command<Input>,
  call: Call<Input>,
  hash: string,
  { idempotencyKey, isDryRun }: Options
): Promise<Outcome | undefined> => {
  const { actor, at, query } = call
  const { keyId, kind, organizationId, userId } = actor
  const earlier = idempotencyKey && query<StoredKey>(findKey, [organizationId, command.id, idempotencyKey])
  const planned = command.plan(call)
  const [stored] = earlier ? (await Promise.all([earlier, planned]))[0] : []
  if (stored !== undefined) {
    if (stored.fingerprint === hash) return { envelope: stored.envelope, isReplayed: true }
    throw new Failure(409, "IDEMPOTENCY_MISMATCH", "This idempotency key was used for another request.")
  }
  const { event, output, statement, subject, values } = await planned
  const warnings = isDryRun ? ["dry_run"] : []
  const envelope = {
    ok: true,
    status: 200,
    data: output,
    meta: { approval_required: false, approval_request_id: "", command_hash: hash, warnings }
  }
  if (isDryRun) return { envelope, isReplayed: false }
  const journal = [organizationId, kind, userId, keyId, command.id, hash, makeId("aud"), at, subject?.type, subject?.id]
  const emitted = event === undefined ? [null, null, null] : [makeId("evt"), event.type, JSON.stringify(event.data)]
  const remembered = idempotencyKey === undefined ? [null, null] : [idempotencyKey, JSON.stringify(envelope)]
  try {
    const [row] = await query<{ written: number }>(statement, [...journal, ...emitted, ...remembered, ...values])
    return row?.written === 1 ? { envelope, isReplayed: false } : undefined
  } catch (cause) {
    if (isTaken(cause)) return undefined
    throw cause
  }
}

/** Runs a command. Fails only if the database does; failures of the command are envelopes. */
export const runCommand = async <Input>(
  query: Query,
  command: Command<Input>,
  actor: Actor,
  input: Input,
  options: Options
): Promise<Outcome> => {
  const hash = sha256(canonicalJson({ organization: actor.organizationId, command_id: command.id, input }))
  const at = new Date().toISOString()
  try {
    if (!actor.scopes.includes(command.scope))
      throw new Failure(403, "FORBIDDEN_SCOPE", `This key lacks the scope ${command.scope}.`)
    for (let count = 0; count < maxAttempts; count++) {
      const outcome = await attempt(command, { query, actor, input, at }, hash, options)
      if (outcome !== undefined) return outcome
    }
    throw new Failure(503, "UNAVAILABLE", "Too many requests change the same record. Retry later.")
  } catch (cause) {
    if (!(cause instanceof Failure)) throw cause
    if (!options.isDryRun && cause.status !== 400 && cause.status !== 404) {
      const { keyId, kind, organizationId, userId } = actor
      await query(noteFailure, [organizationId, makeId("aud"), kind, userId, keyId, command.id, hash, cause.code, at])
    }
    return { envelope: failureEnvelope(cause, hash), isReplayed: false }
  }
}
