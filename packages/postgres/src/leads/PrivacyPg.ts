/** Reading and removing a person in PostgreSQL: one statement each. */
import { PgClient } from "@effect/sql-pg/PgClient"
import { fail } from "@svc/core/Failure"
import { keptEventData, type LeadFile, type LeadRecords } from "@svc/core/leads/privacy/LeadFile"
import { type Erasure, PrivacyRepo } from "@svc/core/leads/privacy/PrivacyRepo"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { orUnavailable } from "../SqlFailure.ts"
import { type LeadDocument, storedOf } from "./leadRows.ts"

interface FileRow {
  readonly leads: ReadonlyArray<LeadDocument> | null
  readonly records: LeadRecords
}

interface ErasedRow {
  readonly erased: (Erasure & { readonly inFlight?: true }) | null
}

const isInstant = (name: string): boolean => name.endsWith("_at") || name === "date" || name === "until"

/** A record whose instants are in the database's spelling, in ours. */
const withInstants = <A extends object>(record: A): A => {
  const named = Object.entries(record).filter(([name, value]) => isInstant(name) && typeof value === "string")
  const instants = Object.fromEntries(named.map(([name, value]) => [name, new Date(value).toISOString()]))
  return { ...record, ...instants }
}

const recordsOf = (records: LeadRecords): LeadRecords => ({
  identifiers: records.identifiers,
  missions: records.missions.map(withInstants),
  messages: records.messages.map(withInstants),
  notes: records.notes.map(withInstants),
  drafts: records.drafts.map(withInstants),
  queue: records.queue.map(withInstants),
  invitations: records.invitations.map(withInstants),
  emails: records.emails.map(withInstants),
  transmissions: records.transmissions.map(withInstants),
  relations: records.relations.map(withInstants),
  imports: records.imports.map(withInstants),
  suppressions: records.suppressions.map(withInstants),
  events: records.events.map(withInstants)
})

const fileOf = (row: FileRow | undefined): LeadFile | undefined => {
  const [first, ...rest] = (row?.leads ?? []).map((document) => storedOf(document).row)
  return row === undefined || first === undefined
    ? undefined
    : { leads: [first, ...rest], records: recordsOf(row.records) }
}

/** Reads and removes people in the database. */
export const layer: Layer.Layer<PrivacyRepo, never, PgClient> = Layer.effect(
  PrivacyRepo,
  Effect.map(PgClient, (sql) =>
    PrivacyRepo.of({
      read: (organizationId, leadId) =>
        sql<FileRow>`
          select (
            select jsonb_agg(d.document order by d.document -> 'row' ->> 'merged_into' is not null,
              d.document -> 'row' ->> 'id' collate "C")
            from svc_lead_documents(${organizationId}, svc_lead_ids(${organizationId}, ${leadId})) as d (document)
          ) as leads, svc_lead_records(${organizationId}, svc_lead_ids(${organizationId}, ${leadId})) as records
        `.pipe(
          orUnavailable,
          Effect.map(([row]) => fileOf(row))
        ),
      erase: (organizationId, leadId, at) =>
        sql<ErasedRow>`
          select svc_erase_lead(${organizationId}, ${leadId}, ${at}::timestamptz, ${[...keptEventData]}::text[]) as erased
        `.pipe(
          orUnavailable,
          Effect.flatMap(([row]) => {
            const erased = row?.erased ?? undefined
            return erased?.inFlight === true ? Effect.fail(fail("DRAFT_IN_FLIGHT")) : Effect.succeed(erased)
          })
        )
    })
  )
)
