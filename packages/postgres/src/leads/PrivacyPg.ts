/**
 * Exporting and erasing a person in PostgreSQL. Exporting is one statement; erasing is two, since the hashes and the decision
 * what names the person are made in TypeScript; and both take one more for each file that waits for approval.
 */

import { PgClient } from "@effect/sql-pg/PgClient"
import { cutPage, type OrganizationId } from "@svc/core"
import { fileCommand, readableInput } from "@svc/core/imports"
import * as Leads from "@svc/core/leads"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { integers, type RowOf, recordOf, texts } from "../columns.ts"
import { orUnavailable } from "../SqlFailure.ts"
import { transacted } from "../TransactionPg.ts"
import { DeploymentSecrets } from "../workspace/DeploymentSecrets.ts"
import { type LeadDocument, rowOf } from "./leadRows.ts"
import { suppressionsPg } from "./SuppressionsPg.ts"
import { hashesWith } from "./Tombstones.ts"

interface FileRow {
  readonly leads: ReadonlyArray<LeadDocument> | null
  readonly records: Omit<Leads.LeadRecords, "requests" | "responses">
  readonly named: Named
}

/** The identifiers of a person, and the documents that may name the person. */
interface Named extends Leads.Documents {
  readonly identifiers: ReadonlyArray<Leads.Suppressible>
  /** Ids of approval requests with a file. */
  readonly files: ReadonlyArray<string>
}

interface Erased extends Named {
  readonly inFlight?: never
  readonly leadIds: ReadonlyArray<string>
}

interface ErasedRow {
  readonly erased: { readonly inFlight: true } | Erased | null
}

type Unchanged = Pick<Leads.LeadRow, "id" | "lawfulBasis" | "mergedInto" | "updatedAt">

const isInstant = (name: string): boolean => name.endsWith("_at") || name === "date" || name === "until"

/** Converts the instants of a record from PostgreSQL's format to ISO 8601. */
const withInstants = <A extends object>(record: A): A => {
  const named = Object.entries(record).filter(([name, value]) => isInstant(name) && typeof value === "string")
  const instants = Object.fromEntries(named.map(([name, value]) => [name, new Date(value).toISOString()]))
  return { ...record, ...instants }
}

const recordsOf = (records: Leads.LeadRecords) =>
  Object.fromEntries(
    Object.entries(records).map(([name, rows]) => [name, rows.map((row: object) => withInstants(row))])
  ) as unknown as Leads.LeadRecords

/** Exports and erases people in the database. */
export const layer: Layer.Layer<Leads.PrivacyRepo, never, PgClient | DeploymentSecrets> = Layer.effect(
  Leads.PrivacyRepo,
  Effect.gen(function* () {
    const sql = yield* PgClient
    const hashesOf = hashesWith((yield* DeploymentSecrets).tombstone)

    /** Of the documents that may name the person, those that do. Requests with a file are read, and locked, one by one. */
    const naming = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      leadIds: ReadonlyArray<string>,
      named: Named
    ) {
      const isNamed = Leads.mentions({ leadIds, identifiers: named.identifiers })
      const those = (documents: Leads.Documents) => Leads.documentsNaming(isNamed, readableInput, documents)
      const files = yield* Effect.forEach(
        named.files,
        Effect.fnUntraced(function* (id) {
          const found = yield* sql<{ readonly request: Leads.Documents["requests"][number] }>`
            select jsonb_build_object('approval_request_id', id, 'command_id', command_id, 'state', state, 'input', input,
              'reason', reason, 'problem', problem, 'created_at', created_at) as request
            from svc.approval_requests where organization_id = ${organizationId} and id = ${id} for update
          `
          return those({ requests: found.map(({ request }) => request), responses: [], rows: [] }).requests
        })
      )
      return [isNamed, those({ ...named, requests: [...named.requests, ...files.flat()] })] as const
    })

    const eraseDocuments = Effect.fnUntraced(function* (organizationId: OrganizationId, erased: Erased, at: string) {
      const { identifiers, leadIds } = erased
      const [, { requests, responses, rows }] = yield* naming(organizationId, leadIds, erased)
      const named = texts(requests.map((request) => request.approval_request_id))
      yield* sql`
        with answers as (
          delete from svc.idempotency_keys k
          using unnest(${texts(responses.map(({ route }) => route))}, ${texts(responses.map(({ key }) => key))}) as g (route, key)
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
          where t.organization_id = excluded.organization_id
      `
    })

    return Leads.PrivacyRepo.of({
      ...suppressionsPg(sql, hashesOf),
      readFile: (organizationId, leadId) =>
        Effect.gen(function* () {
          const [row] = yield* sql<FileRow>`
            select (
              select json_agg(d.document order by d.document -> 'row' ->> 'merged_into' is not null, d.id collate "C")
              from svc.svc_lead_documents(${organizationId}, v.ids, true, false) as d
            ) as leads, svc.svc_lead_records(${organizationId}, v.ids) as records,
              svc.svc_documents_naming(${organizationId}, v.ids, ${fileCommand}) as named
            from (select svc.svc_lead_ids(${organizationId}, ${leadId}) as ids offset 0) v
          `
          const [first, ...rest] = (row?.leads ?? []).map(({ row }) => rowOf(row))
          if (row === undefined || first === undefined) return undefined
          const leads = [first, ...rest] as const
          const ids = leads.map(({ id }) => id)
          const [isNamed, documents] = yield* naming(organizationId, ids, row.named)
          const records = recordsOf(Leads.withDocuments(row.records, isNamed, readableInput, documents))
          return { leads, records } satisfies Leads.LeadFile
        }).pipe(orUnavailable),
      erase: (organizationId, leadId, at) =>
        transacted(
          sql,
          Effect.gen(function* () {
            const [row] = yield* sql<ErasedRow>`
                select svc.svc_erase_lead(${organizationId}, ${leadId}, ${[...Leads.keptEventData]}::text[],
                  ${fileCommand}) as erased
              `
            const erased = row?.erased ?? undefined
            if (erased === undefined) return undefined
            if (erased.inFlight) return yield* new Leads.DraftInFlight()
            yield* eraseDocuments(organizationId, erased, at)
            const { identifiers, leadIds } = erased
            return { leadIds, tombstones: identifiers.length } satisfies Leads.Erasure
          })
        ).pipe(orUnavailable),
      unchangedSince: (organizationId, before, { after: [at, id] = ["-infinity", ""], limit }) =>
        sql<RowOf<Unchanged>>`
          select c.lead_id as id, c.updated_at, l.merged_into, coalesce(l.profile ->> 'lawfulBasis', '') as lawful_basis
          from svc.lead_recency c cross join lateral (
            select * from svc.leads h where h.organization_id = ${organizationId} and h.id = c.lead_id collate "default" limit 1) l
          where c.organization_id = ${organizationId} and c.updated_at < ${before}::timestamptz
            and (c.updated_at, c.lead_id) > (${at}::timestamptz, ${id}::text collate "C")
          order by c.updated_at, c.lead_id limit ${limit + 1}
        `.pipe(
          Effect.map((rows) => cutPage(rows.map(recordOf<Unchanged>), limit, (lead) => [lead.updatedAt, lead.id])),
          orUnavailable
        )
    })
  })
)
