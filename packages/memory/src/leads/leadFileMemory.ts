/** Collects everything that the in-memory store holds about a person. */

import { type LeadId, type OrganizationId, snakeKeys } from "@svc/core"
import { compareText, type LeadFile, type LeadRecords } from "@svc/core/leads"
import * as Struct from "effect/Struct"
import { importRows, imports } from "../imports/ImportTables.ts"
import { events } from "../JournalMemory.ts"
import type { Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import { attempts, drafts, relations, transmissions } from "../outreach/LinkedInTables.ts"
import { isAbout, leadIdsOf } from "./LeadHistoryMemory.ts"
import { leadIdentities, leadMessages, leadMissions, leadNotes, leads } from "./LeadTables.ts"
import { suppressions } from "./SuppressionsMemory.ts"

const sorted = <A>(rows: ReadonlyArray<A>, keyOf: (row: A) => string): ReadonlyArray<A> =>
  rows.toSorted((a, b) => compareText(keyOf(a), keyOf(b)))

const common = ["leadId", "state", "createdAt", "updatedAt"] as const

const picked = <A extends object, const K extends ReadonlyArray<keyof A>>(row: A, names: K) =>
  snakeKeys(Struct.pick(row, names))

const ownRecords = (
  tables: Tables,
  organizationId: OrganizationId,
  ids: ReadonlyArray<string>
): Pick<LeadRecords, "identifiers" | "missions" | "messages" | "notes"> => {
  const mine = ({ leadId }: { readonly leadId: LeadId }) => ids.includes(leadId)
  return {
    identifiers: sorted(
      tables.all(leadIdentities, organizationId).filter(mine),
      ({ kind, value }) => `${kind} ${value}`
    ).map(snakeKeys),
    missions: sorted(
      tables.all(leadMissions, organizationId).filter(mine),
      (row) => `${row.linkedAt} ${row.missionId}`
    ).map((row) => ({ ...snakeKeys(row), name: tables.get(missions, organizationId, row.missionId)?.name ?? "" })),
    messages: sorted(tables.all(leadMessages, organizationId).filter(mine), (row) => `${row.date} ${row.id}`).map(
      ({ id, organizationId: _, ...row }) => ({ message_id: id, ...snakeKeys(row) })
    ),
    notes: sorted(tables.all(leadNotes, organizationId).filter(mine), (row) => `${row.createdAt} ${row.id}`).map(
      ({ id, organizationId: _, ...row }) => ({ note_id: id, ...snakeKeys(row) })
    )
  }
}

const outreachRecords = (
  tables: Tables,
  organizationId: OrganizationId,
  ids: ReadonlyArray<string>
): Pick<LeadRecords, "drafts" | "emails" | "invitations" | "queue" | "transmissions" | "relations"> => {
  const mine = ({ leadId }: { readonly leadId: LeadId }) => ids.includes(leadId)
  const sent = sorted(tables.all(transmissions, organizationId).filter(mine), (row) => `${row.createdAt} ${row.id}`)
  const sentIds = new Set<string>(sent.map(({ id }) => id))
  return {
    invitations: sent
      .filter((row) => row.kind === "invitation")
      .map((row) => ({
        invitation_id: row.id,
        ...picked(row, [...common, "accountId", "agentId", "draftId", "reason", "note", "sentAt", "endedAt"])
      })),
    drafts: sorted(tables.all(drafts, organizationId).filter(mine), (row) => `${row.createdAt} ${row.id}`).map(
      (row) => ({
        draft_id: row.id,
        ...picked(row, ["leadId", "agentId", "missionId", "status", "variations", "selectedBodyText"]),
        ...picked(row, ["approvedAt", "cancelledAt", "dispatchedAt", "createdAt", "updatedAt"]),
        flag_note: row.review.flagNote,
        rejection: row.review.rejection?.text ?? null,
        rewrite: row.review.rewrite?.text ?? null,
        provenance: row.steps.map((step) => ({ ...step })),
        evidence: row.evidence.map((item) => ({ ...item }))
      })
    ),
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
        ...picked(row, [...common, "agentId", "missionId", "subject", "bodyText", "bodyHtml", "sentAt"]),
        from: row.fromAddress,
        to: row.toAddress,
        provenance: row.steps.map((step) => ({ ...step }))
      })),
    transmissions: sorted(
      tables.all(attempts, organizationId).filter(({ queueItemId }) => sentIds.has(queueItemId)),
      (row) => `${row.startedAt} ${row.queueItemId} ${row.number}`
    ).map((row) => ({
      queue_id: row.queueItemId,
      ...picked(row, ["number", "accountId", "action", "outcome", "detail", "startedAt", "endedAt"])
    })),
    relations: sorted(
      tables.all(relations, organizationId).filter(mine),
      ({ accountId, leadId }) => `${accountId} ${leadId}`
    ).map((row) => picked(row, ["accountId", "leadId", "connected", "chatId", "invitedAt", "checkedAt"]))
  }
}

const loggedRecords = (
  tables: Tables,
  organizationId: OrganizationId,
  ids: ReadonlyArray<string>
): Pick<LeadRecords, "imports" | "suppressions" | "events"> => {
  const held = new Set(
    tables
      .all(leadIdentities, organizationId)
      .filter(({ leadId }) => ids.includes(leadId))
      .map(({ kind, value }) => `${kind} ${value}`)
  )
  return {
    imports: sorted(
      tables.all(importRows, organizationId).flatMap((row) => {
        const run = tables.get(imports, organizationId, row.importId)
        const { importId, leadId, outcome, position } = row
        if (run === undefined || leadId === null || !ids.includes(leadId)) return []
        const { createdAt, name, type } = run
        return [{ import_id: importId, lead_id: leadId, type, name, position, outcome, created_at: createdAt }]
      }),
      (row) => `${row.import_id} ${String(row.position).padStart(10, "0")}`
    ),
    suppressions: sorted(
      tables
        .all(suppressions, organizationId)
        .filter(({ kind, leadId, value }) => held.has(`${kind} ${value}`) || (leadId !== null && ids.includes(leadId))),
      ({ kind, value }) => `${kind} ${value}`
    ).map((row) => picked(row, ["kind", "value", "reason", "until", "createdAt"])),
    events: sorted(
      tables.all(events, organizationId).filter((event) => isAbout(event, ids)),
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

/** Everything about a lead, including those merged into it. */
export const leadFile = (tables: Tables, organizationId: OrganizationId, leadId: LeadId): LeadFile | undefined => {
  const found = leadIdsOf(tables, organizationId, leadId)
  if (found === undefined) return undefined
  const { ids, live } = found
  return {
    leads: [live, ...ids.slice(1).flatMap((id) => tables.get(leads, organizationId, id) ?? [])],
    records: {
      ...ownRecords(tables, organizationId, ids),
      ...outreachRecords(tables, organizationId, ids),
      ...loggedRecords(tables, organizationId, ids)
    }
  }
}
