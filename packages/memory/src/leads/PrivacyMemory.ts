/** Exporting and erasing a person in the in-memory store. */

import { cutPage, type LeadId, snakeKeys } from "@svc/core"
import { readableInput } from "@svc/core/imports"
import { compareText } from "@svc/core/internal"
import * as Leads from "@svc/core/leads"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import { eraseImportRows, importRows, imports, refusedRows } from "../imports/ImportTables.ts"
import { eraseStored, events, storedDocuments } from "../JournalMemory.ts"
import { repository, type Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import { attempts, drafts, relations, transmissions, unsubscribeTokens } from "../outreach/LinkedInTables.ts"
import { deliveries } from "../webhooks/WebhooksMemory.ts"
import { isAbout, leadIdsOf } from "./LeadHistoryMemory.ts"
import { leadIdentities, leadMessages, leadMissions, leadNotes, leads, removeLeads } from "./LeadTables.ts"
import { suppressions, suppressionsMemory, tombstoneKey, tombstones } from "./SuppressionsMemory.ts"

const sorted = <A>(rows: ReadonlyArray<A>, keyOf: (row: A) => string): ReadonlyArray<A> =>
  rows.toSorted((a, b) => compareText(keyOf(a), keyOf(b)))

const common = ["leadId", "state", "createdAt", "updatedAt"] as const

const picked = <A extends object, const K extends ReadonlyArray<keyof A>>(row: A, names: K) =>
  snakeKeys(Struct.pick(row, names))

const ownRecords = (
  tables: Tables,
  ids: ReadonlyArray<string>
): Pick<Leads.LeadRecords, "identifiers" | "missions" | "messages" | "notes"> => {
  const mine = ({ leadId }: { readonly leadId: LeadId }) => ids.includes(leadId)
  return {
    identifiers: sorted(tables.where(leadIdentities, mine), ({ kind, value }) => `${kind} ${value}`).map(snakeKeys),
    missions: sorted(tables.where(leadMissions, mine), (row) => `${row.linkedAt} ${row.missionId}`).map((row) => ({
      ...snakeKeys(row),
      name: tables.get(missions, row.missionId)?.name ?? ""
    })),
    messages: sorted(tables.where(leadMessages, mine), (row) => `${row.date} ${row.id}`).map(
      ({ id, mail = null, organizationId: _, ...row }) => ({ message_id: id, ...snakeKeys(row), mail })
    ),
    notes: sorted(tables.where(leadNotes, mine), (row) => `${row.createdAt} ${row.id}`).map(
      ({ id, organizationId: _, ...row }) => ({ note_id: id, ...snakeKeys(row) })
    )
  }
}

const outreachRecords = (
  tables: Tables,
  ids: ReadonlyArray<string>
): Pick<Leads.LeadRecords, "drafts" | "emails" | "invitations" | "queue" | "transmissions" | "relations"> => {
  const mine = ({ leadId }: { readonly leadId: LeadId }) => ids.includes(leadId)
  const sent = sorted(tables.where(transmissions, mine), (row) => `${row.createdAt} ${row.id}`)
  const sentIds = new Set<string>(sent.map(({ id }) => id))
  return {
    invitations: sent
      .filter((row) => row.kind === "invitation")
      .map((row) => ({
        invitation_id: row.id,
        ...picked(row, [...common, "accountId", "agentId", "draftId", "reason", "note", "sentAt", "endedAt"])
      })),
    drafts: sorted(tables.where(drafts, mine), (row) => `${row.createdAt} ${row.id}`).map((row) => ({
      draft_id: row.id,
      ...picked(row, ["leadId", "agentId", "missionId", "status", "variations", "selectedBodyText"]),
      ...picked(row, ["approvedAt", "cancelledAt", "dispatchedAt", "createdAt", "updatedAt"]),
      flag_note: row.review.flagNote,
      rejection: row.review.rejection?.text ?? null,
      rewrite: row.review.rewrite?.text ?? null,
      provenance: row.steps.map((step) => ({ ...step })),
      evidence: row.evidence.map((item) => ({ ...item }))
    })),
    queue: sent
      .filter((row) => row.kind === "message")
      .map((row) => ({
        queue_id: row.id,
        ...picked(row, [...common, "draftId", "accountId", "reason", "bodyText", "invitationNote", "invitedAt"])
      })),
    emails: sent
      .filter((row) => row.kind === "email")
      .map((row) => ({
        email_id: row.id,
        ...picked(row, [...common, "agentId", "missionId", "subject", "bodyText", "bodyHtml", "reason", "sentAt"]),
        from: row.fromAddress,
        to: row.toAddress,
        provenance: row.steps.map((step) => ({ ...step }))
      })),
    transmissions: sorted(
      tables.where(attempts, ({ queueItemId }) => sentIds.has(queueItemId)),
      (row) => `${row.startedAt} ${row.queueItemId} ${row.number}`
    ).map((row) => ({
      queue_id: row.queueItemId,
      ...picked(row, ["number", "accountId", "action", "outcome", "detail", "startedAt", "endedAt"])
    })),
    relations: sorted(tables.where(relations, mine), ({ accountId, leadId }) => `${accountId} ${leadId}`).map((row) =>
      picked(row, ["accountId", "leadId", "connected", "chatId", "invitedAt", "checkedAt"])
    )
  }
}

const loggedRecords = (
  tables: Tables,
  ids: ReadonlyArray<string>
): Pick<Leads.LeadRecords, "imports" | "suppressions" | "events"> => {
  const held = new Set(
    tables.where(leadIdentities, ({ leadId }) => ids.includes(leadId)).map(({ kind, value }) => `${kind} ${value}`)
  )
  return {
    imports: sorted(
      tables.all(importRows).flatMap((row) => {
        const run = tables.get(imports, row.importId)
        const { importId, leadId, outcome, position, source: cells } = row
        if (run === undefined || leadId === null || !ids.includes(leadId)) return []
        const { createdAt, name, type } = run
        return [{ import_id: importId, lead_id: leadId, type, name, position, outcome, created_at: createdAt, cells }]
      }),
      (row) => `${row.import_id} ${String(row.position).padStart(10, "0")}`
    ),
    suppressions: sorted(
      tables.where(
        suppressions,
        ({ kind, leadId, value }) => held.has(`${kind} ${value}`) || (leadId !== null && ids.includes(leadId))
      ),
      ({ kind, value }) => `${kind} ${value}`
    ).map((row) => picked(row, ["kind", "value", "reason", "until", "createdAt"])),
    events: sorted(
      tables.where(events, (event) => isAbout(event, ids)),
      (row) => `${row.createdAt} ${row.id}`
    ).map((row) => ({
      event_id: row.id,
      type: row.type,
      subject_type: row.subject.type,
      subject_id: row.subject.id,
      actor_kind: row.actor.kind,
      actor_id: row.actor.id,
      data: row.data,
      created_at: row.createdAt
    }))
  }
}

/** The documents that name the person. */
const naming = (tables: Tables, leadIds: ReadonlyArray<string>) => {
  const isNamed = Leads.mentions({ leadIds, identifiers: identifiersOf(tables, leadIds) })
  const all = { ...storedDocuments(tables), rows: refusedRows(tables, leadIds) }
  return [isNamed, Leads.documentsNaming(isNamed, readableInput, all)] as const
}

/** Everything about a lead, including those merged into it. */
const leadFile = (tables: Tables, leadId: LeadId): Leads.LeadFile | undefined => {
  const found = leadIdsOf(tables, leadId)
  if (found === undefined) return undefined
  const { ids, live } = found
  const records = { ...ownRecords(tables, ids), ...outreachRecords(tables, ids), ...loggedRecords(tables, ids) }
  const [isNamed, documents] = naming(tables, ids)
  return {
    leads: [live, ...ids.slice(1).flatMap((id) => tables.get(leads, id) ?? [])],
    records: Leads.withDocuments(records, isNamed, readableInput, documents)
  }
}

const eraseRecords = (tables: Tables, ids: ReadonlyArray<string>): void => {
  const mine = ({ leadId }: { readonly leadId: LeadId | null }) => leadId !== null && ids.includes(leadId)
  tables.removeWhere(leadMessages, mine)
  tables.removeWhere(leadNotes, mine)
  tables.updateWhere(unsubscribeTokens, mine, (token) => ({ ...token, leadId: null }))
  const sentIds = new Set<unknown>(tables.removeWhere(transmissions, mine).map(({ id }) => id))
  tables.removeWhere(drafts, mine)
  tables.removeWhere(relations, mine)
  tables.updateWhere(
    attempts,
    ({ queueItemId }) => sentIds.has(queueItemId),
    (attempt) => ({ ...attempt, detail: null })
  )
  tables.removeWhere(
    deliveries,
    ({ event_type, payload, sequence }) =>
      sequence === null && event_type === "email.review.requested" && sentIds.has(Object(payload["data"])["review_id"])
  )
  removeLeads(tables, ids)
}

const keptOf = (data: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(Object(data)).filter(([name]) => Leads.keptEventData.some((kept) => kept === name)))

/** Erases the person from events and from their webhook deliveries. */
const eraseEvents = (tables: Tables, ids: ReadonlyArray<string>): void => {
  const erased = tables.updateWhere(
    events,
    (event) => isAbout(event, ids),
    (event) => ({ ...event, data: keptOf(event.data) })
  )
  tables.updateWhere(
    deliveries,
    ({ event_id }) => erased.some(({ id }) => id === event_id),
    (row) => ({
      ...row,
      payload: { ...row.payload, data: keptOf(row.payload.data) },
      last_error: "",
      // What a receiver answers to a request that is under way is not recorded.
      fence: row.fence + 1
    })
  )
}

/** Every identifier of the leads. */
const identifiersOf = (tables: Tables, ids: ReadonlyArray<string>): ReadonlyArray<Leads.Suppressible> => {
  const named: ReadonlyArray<Leads.Suppressible & { readonly leadId: LeadId | null }> = [
    ...tables.all(leadIdentities),
    ...tables.where(suppressions, ({ kind }) => kind !== "lead" && kind !== "domain")
  ]
  const mine = named.filter(({ leadId }) => leadId !== null && ids.includes(leadId))
  return [...new Map(mine.map(({ kind, value }) => [Leads.identityKey({ kind, value }), { kind, value }])).values()]
}

const erase = (
  tables: Tables,
  leadId: LeadId,
  at: string
): Result.Result<Leads.Erasure | undefined, Leads.DraftInFlight> => {
  const file = leadFile(tables, leadId)
  if (file === undefined) return Result.succeed(undefined)
  const { emails, invitations, queue } = file.records
  if ([...queue, ...invitations, ...emails].some(({ state }) => state === "sending")) {
    return Result.fail(new Leads.DraftInFlight())
  }
  const leadIds = file.leads.map(({ id }) => id)
  const [live] = file.leads
  const identifiers = identifiersOf(tables, leadIds)
  const [, documents] = naming(tables, leadIds)
  const keys = new Set(identifiers.map(Leads.identityKey))
  tables.removeWhere(
    suppressions,
    (row) => keys.has(Leads.identityKey(row)) || (row.leadId !== null && leadIds.includes(row.leadId))
  )
  for (const identifier of identifiers) {
    const hash = tombstoneKey(tables.organizationId, identifier)
    tables.set(tombstones, hash, { hash, leadId: live.id, erasedAt: at })
  }
  eraseRecords(tables, leadIds)
  eraseEvents(tables, leadIds)
  eraseImportRows(tables, leadIds, documents.rows)
  eraseStored(tables, documents)
  return Result.succeed({ leadIds, tombstones: identifiers.length })
}

/** Exports and erases people in memory. */
export const layer = repository(Leads.PrivacyRepo)((store) => ({
  ...suppressionsMemory(store),
  readFile: store.reading(leadFile),
  erase: (organizationId, leadId, at) => store.tryWrite(organizationId, (tables) => erase(tables, leadId, at)),
  unchangedSince: store.reading((tables, before, { after, limit }) => {
    const keyOf = ({ id, updatedAt }: Leads.LeadRow) => `${updatedAt} ${id}`
    const rest = tables.where(leads, (lead) => lead.updatedAt < before && keyOf(lead) > (after?.join(" ") ?? ""))
    return cutPage(sorted(rest, keyOf), limit, ({ id, updatedAt }) => [updatedAt, id])
  })
}))
