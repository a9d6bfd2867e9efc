/** The audit log in PostgreSQL. Hashes are computed in TypeScript, as in memory; the chain is extended under a lock. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import { cutPage, isoFromMillis, type OrganizationId } from "@svc/core"
import * as Workspace from "@svc/core/workspace"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { recordOf as fieldsOf, type RowOf } from "../columns.ts"
import { each, newestFirst } from "../results.ts"
import { orUnavailable, retrySerialization } from "../SqlFailure.ts"
import { transacted } from "../TransactionPg.ts"

type AuditRow = RowOf<Omit<Workspace.AuditRecord, "subject" | "sequence">> & {
  readonly subject_type: string | null
  readonly subject_id: string | null
  readonly place: number | null
}

/** A row that was looked at, with its number. */
type LookedRow = AuditRow & { readonly is_meant: boolean | null; readonly looked: number }

const recordOf = ({ place, subject_id, subject_type, ...row }: AuditRow): Workspace.AuditRecord => ({
  ...fieldsOf<Omit<Workspace.AuditRecord, "subject" | "sequence">>(row),
  subject: subject_type === null ? null : { type: subject_type, id: subject_id ?? "" },
  sequence: place
})

/** A sealed row. A removed hash counts as a change. */
const sealedOf = (row: AuditRow): Workspace.SealedRecord => ({
  ...recordOf(row),
  sequence: row.place ?? 0,
  hash: row.hash ?? ""
})

/** Rows that a page looks at; one that finds fewer than it may hold ends there. */
const maxRead = 50_000

/** Reads and seals the audit rows of the database; `key` is that of the hashes. */
export const auditLog = (sql: PgClient, key: string): Workspace.AuditLog => {
  const headOf = (organizationId: OrganizationId) =>
    sql<Workspace.ChainHead>`
      select sequence::float8 as sequence, hash from svc.audit_heads where organization_id = ${organizationId}
    `.pipe(Effect.map(([head]) => head ?? Workspace.emptyChain))
  const startOf = (organizationId: OrganizationId) =>
    sql<RowOf<Workspace.ChainStart>>`
      select start_sequence::float8 as sequence, start_hash as hash, start_deleted_at as deleted_at,
        start_signature as signature
      from svc.audit_heads where organization_id = ${organizationId}
    `.pipe(Effect.map(([row]) => (row === undefined ? Workspace.wholeChain : fieldsOf<Workspace.ChainStart>(row))))
  const chainOf = (organizationId: OrganizationId, after: number, limit: number) =>
    sql<AuditRow>`
      select *, sequence::float8 as place from svc.audit_entries
      where organization_id = ${organizationId} and sequence > ${after}::bigint
      order by sequence limit ${limit}
    `

  const waitForTurn = (organizationId: OrganizationId) =>
    Effect.as(sql`select pg_advisory_xact_lock(hashtextextended(${organizationId}, 11))`, true)
  const tryTurn = (organizationId: OrganizationId) =>
    Effect.map(
      sql<{ readonly ours: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended(${organizationId}, 11)) as ours`,
      ([row]) => row?.ours === true
    )

  const sealSome = Effect.fnUntraced(function* (organizationId: OrganizationId, most: number, turn: typeof tryTurn) {
    if (!(yield* turn(organizationId))) return 0
    const rows = yield* sql<AuditRow>`
        select *, null as place from svc.audit_entries
        where organization_id = ${organizationId} and sequence is null
        order by created_at, id collate "C" limit ${most}
      `
    if (rows.length === 0) return 0
    let head = yield* headOf(organizationId)
    const sealed = rows.map((row) => {
      const record = Workspace.seal(key, head, recordOf(row))
      head = record
      return { id: record.id, sequence: record.sequence, hash: record.hash }
    })
    yield* sql`
        with sealed as (
          update svc.audit_entries a set sequence = r.sequence, hash = r.hash
          from jsonb_to_recordset(${sql.json(sealed)}) as r (id text, sequence bigint, hash text)
          where a.organization_id = ${organizationId} and a.id = r.id
        )
        insert into svc.audit_heads (organization_id, sequence, hash)
        values (${organizationId}, ${head.sequence}::bigint, ${head.hash})
        on conflict (organization_id) do update set sequence = excluded.sequence, hash = excluded.hash
      `
    return rows.length
  })

  // Under the lock of sealing, so neither the start nor the end moves between reading and deleting.
  const deleteSome = Effect.fnUntraced(function* (organizationId: OrganizationId, before: string, limit: number) {
    if (!(yield* tryTurn(organizationId))) return { count: 0, start: Workspace.wholeChain, problem: undefined }
    const start = yield* startOf(organizationId)
    const end = yield* headOf(organizationId)
    const records = (yield* chainOf(organizationId, start.sequence, limit)).map(sealedOf)
    const now = isoFromMillis(yield* Clock.currentTimeMillis)
    const deleted = Workspace.deletableBefore(key, organizationId, { start, end, records }, before, now)
    if (deleted.count === 0) return deleted
    const { deletedAt, hash, sequence, signature } = deleted.start
    yield* sql`
        with gone as (
          delete from svc.audit_entries where organization_id = ${organizationId}
            and sequence > ${start.sequence}::bigint and sequence <= ${sequence}::bigint
        )
        update svc.audit_heads set start_sequence = ${sequence}::bigint, start_hash = ${hash},
          start_deleted_at = ${deletedAt}::timestamptz, start_signature = ${signature}
        where organization_id = ${organizationId}
      `
    return deleted
  })

  return {
    key,
    list: (organizationId, { actorKind, after, before, commandId, keyId, outcome }, { after: position, limit }) =>
      sql<LookedRow>`
        select * from (
          select *, sequence::float8 as place, row_number() over (order by created_at desc, id collate "C" desc)::int as looked,
            (${commandId ?? null}::text is null or command_id = ${commandId ?? null})
              and (${keyId ?? null}::text is null or key_id = ${keyId ?? null})
              and (${actorKind ?? null}::text is null or actor_kind = ${actorKind ?? null})
              and (${outcome ?? null}::text is null or outcome = ${outcome ?? null}) as is_meant
          from svc.audit_entries
          where organization_id = ${organizationId}
            and created_at > coalesce(${after ?? null}::timestamptz, '-infinity')
            and created_at < coalesce(${before ?? null}::timestamptz, 'infinity')
            and ${newestFirst(sql, { after: position, limit: maxRead - 1 })}
        ) a
        where is_meant or looked = ${maxRead}::int
        order by created_at desc, id collate "C" desc limit ${limit + 1}
      `.pipe(
        orUnavailable,
        Effect.map((rows) => {
          const found = rows.flatMap(({ is_meant, looked: _, ...row }) => (is_meant ? [recordOf(row)] : []))
          const last = rows.at(-1)
          const stop = last?.looked === maxRead ? [last.created_at.toISOString(), last.id] : undefined
          const cut = cutPage(found, limit, ({ createdAt, id }) => [createdAt, id])
          return { ...cut, next: cut.next ?? stop }
        })
      ),
    seal: (organizationId, most) => retrySerialization(transacted(sql, sealSome(organizationId, most, waitForTurn))),
    sealIfFree: (organizationId, most) => retrySerialization(transacted(sql, sealSome(organizationId, most, tryTurn))),
    chain: (organizationId, after, limit) => chainOf(organizationId, after, limit).pipe(each(sealedOf)),
    head: (organizationId) => orUnavailable(headOf(organizationId)),
    start: (organizationId) => orUnavailable(startOf(organizationId)),
    deleteBefore: (organizationId, before, limit) => orUnavailable(deleteSome(organizationId, before, limit)),
    organizations: sql<{
      readonly id: string
    }>`select id from svc.organizations order by created_at, id collate "C"`.pipe(each(({ id }) => id))
  }
}
