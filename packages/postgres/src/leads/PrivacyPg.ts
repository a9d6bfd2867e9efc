/**
 * Exporting and erasing a person in PostgreSQL. Exporting is one statement; erasing is two, since the hashes and the decision
 * what names the person are made in TypeScript, and one for each file that waits for approval.
 */

import { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId } from "@svc/core"
import { fileCommand, type ImportFile, readableInput } from "@svc/core/imports"
import {
  DraftInFlight,
  type Erasure,
  keptEventData,
  type LeadFile,
  type LeadRecords,
  mentions,
  PrivacyRepo,
  type Suppressible
} from "@svc/core/leads"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { integers, texts } from "../columns.ts"
import { only } from "../results.ts"
import { orUnavailable } from "../SqlFailure.ts"
import { transacted } from "../TransactionPg.ts"
import { type LeadDocument, rowOf } from "./leadRows.ts"
import { suppressionsPg } from "./SuppressionsPg.ts"
import { Tombstones } from "./Tombstones.ts"

interface FileRow {
  readonly leads: ReadonlyArray<LeadDocument> | null
  readonly records: LeadRecords
}

/** The erased leads, their identifiers, and the documents that may name the person; empty lists are missing. */
interface Erased {
  readonly inFlight?: never
  readonly leadIds: ReadonlyArray<string>
  readonly identifiers: ReadonlyArray<Suppressible>
  readonly answers?: ReadonlyArray<{ readonly route: string; readonly key: string; readonly document: unknown }>
  readonly approvals?: ReadonlyArray<{ readonly id: string; readonly document: unknown }>
  /** Ids of approval requests with a file. */
  readonly files?: ReadonlyArray<string>
  readonly rows?: ReadonlyArray<{
    readonly import_id: string
    readonly position: number
    readonly document: unknown
    readonly columns?: ImportFile["columns"]
  }>
}

interface ErasedRow {
  readonly erased: { readonly inFlight: true } | Erased | null
}

const isInstant = (name: string): boolean => name.endsWith("_at") || name === "date" || name === "until"

/** Converts the instants of a record from PostgreSQL's format to ISO 8601. */
const withInstants = <A extends object>(record: A): A => {
  const named = Object.entries(record).filter(([name, value]) => isInstant(name) && typeof value === "string")
  const instants = Object.fromEntries(named.map(([name, value]) => [name, new Date(value).toISOString()]))
  return { ...record, ...instants }
}

const recordsOf = (records: Readonly<Record<string, ReadonlyArray<object>>>) =>
  Object.fromEntries(Object.entries(records).map(([name, rows]) => [name, rows.map(withInstants)]))

const fileOf = ({ leads, records }: FileRow): LeadFile | undefined => {
  const [first, ...rest] = (leads ?? []).map(({ row }) => rowOf(row))
  return first && { leads: [first, ...rest], records: { ...records, ...recordsOf(records) } }
}

/** Exports and erases people in the database. */
export const layer: Layer.Layer<PrivacyRepo, never, PgClient | Tombstones> = Layer.effect(
  PrivacyRepo,
  Effect.gen(function* () {
    const sql = yield* PgClient
    const { hashesOf } = yield* Tombstones

    /** The requests whose file names the person, locked, so that they are not decided before they are erased. */
    const namingFiles = Effect.fnUntraced(function* (organizationId: OrganizationId, erased: Erased) {
      const isNamed = mentions(erased)
      return yield* Effect.filter(
        erased.files ?? [],
        Effect.fnUntraced(function* (id) {
          const [row] = yield* sql<{ readonly input: unknown; readonly reason: string; readonly problem: string }>`
            select input, reason, problem from svc.approval_requests
            where organization_id = ${organizationId} and id = ${id} for update
          `
          return isNamed([readableInput(fileCommand, row?.input), row?.reason, row?.problem])
        })
      )
    })

    const eraseResponses = Effect.fnUntraced(function* (organizationId: OrganizationId, erased: Erased, at: string) {
      const { identifiers, leadIds } = erased
      const isNamed = mentions(erased)
      const files = yield* namingFiles(organizationId, erased)
      const answers = (erased.answers ?? []).filter(({ document, key }) => isNamed([key, document]))
      const approvals = (erased.approvals ?? []).filter(({ document }) => isNamed(document))
      const named = texts([...files, ...approvals.map(({ id }) => id)])
      const rows = (erased.rows ?? []).filter(({ columns, document }) => isNamed(document, columns))
      yield* sql`
        with answers as (
          delete from svc.idempotency_keys k
          using unnest(${texts(answers.map(({ route }) => route))}, ${texts(answers.map(({ key }) => key))}) as g (route, key)
          where k.organization_id = ${organizationId} and k.route = g.route and k.key = g.key
        ), approvals as (
          delete from svc.approval_requests a
          where a.organization_id = ${organizationId} and a.id = any (${named}) and a.state = 'pending'
        ), decided as (
          update svc.approval_requests a set input = null, reason = '', problem = ''
          where a.organization_id = ${organizationId} and a.id = any (${named}) and a.state <> 'pending'
        ), refused as (
          update svc.import_rows r set source = null
          from unnest(${texts(rows.map((row) => row.import_id))}, ${integers(rows.map(({ position }) => position))})
            as g (import_id, position)
          where r.organization_id = ${organizationId} and r.import_id = g.import_id and r.position = g.position
        )
        insert into svc.tombstones as t (organization_id, hash, kind, lead_id, erased_at)
        select ${organizationId}, g.hash, g.kind, ${leadIds[0]}, ${at}::timestamptz
        from unnest(${texts(hashesOf(organizationId, identifiers))}, ${texts(identifiers.map(({ kind }) => kind))})
          as g (hash, kind)
        on conflict (organization_id, hash) do update set lead_id = excluded.lead_id, erased_at = excluded.erased_at
          where t.organization_id = ${organizationId}
      `
    })

    return PrivacyRepo.of({
      ...suppressionsPg(sql, hashesOf),
      readFile: (organizationId, leadId) =>
        sql<FileRow>`
          select (
            select json_agg(d.document order by d.document -> 'row' ->> 'merged_into' is not null, d.id collate "C")
            from svc.svc_lead_documents(${organizationId}, svc.svc_lead_ids(${organizationId}, ${leadId}), true, false) as d
          ) as leads, svc.svc_lead_records(${organizationId}, svc.svc_lead_ids(${organizationId}, ${leadId})) as records
        `.pipe(only(fileOf)),
      erase: (organizationId, leadId, at) =>
        transacted(
          sql,
          Effect.gen(function* () {
            const [row] = yield* sql<ErasedRow>`
                select svc.svc_erase_lead(${organizationId}, ${leadId}, ${[...keptEventData]}::text[],
                  ${fileCommand}) as erased
              `
            const erased = row?.erased ?? undefined
            if (erased === undefined) return undefined
            if (erased.inFlight) return yield* new DraftInFlight()
            yield* eraseResponses(organizationId, erased, at)
            const { identifiers, leadIds } = erased
            return { leadIds, tombstones: identifiers.length } satisfies Erasure
          })
        ).pipe(orUnavailable)
    })
  })
)
