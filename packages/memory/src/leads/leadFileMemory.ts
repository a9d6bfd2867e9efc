/** Collects everything that the in-memory store holds about a person. */

import type { LeadId, OrganizationId } from "@svc/core"
import { compareText, type LeadFile, type LeadRecords } from "@svc/core/leads"
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
    ).map(({ derived, kind, leadId, value }) => ({ lead_id: leadId, kind, value, derived })),
    missions: sorted(
      tables.all(leadMissions, organizationId).filter(mine),
      (row) => `${row.linkedAt} ${row.missionId}`
    ).map(({ leadId, linkedAt, missionId }) => ({
      lead_id: leadId,
      mission_id: missionId,
      name: tables.get(missions, organizationId, missionId)?.name ?? "",
      linked_at: linkedAt
    })),
    messages: sorted(tables.all(leadMessages, organizationId).filter(mine), (row) => `${row.date} ${row.id}`).map(
      (row) => ({
        message_id: row.id,
        lead_id: row.leadId,
        direction: row.direction,
        channel: row.channel,
        content: row.content,
        sender_name: row.senderName,
        external_id: row.externalId,
        date: row.date
      })
    ),
    notes: sorted(tables.all(leadNotes, organizationId).filter(mine), (row) => `${row.createdAt} ${row.id}`).map(
      (row) => ({
        note_id: row.id,
        lead_id: row.leadId,
        text: row.text,
        user_id: row.userId,
        actor_kind: row.actorKind,
        created_at: row.createdAt
      })
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
        lead_id: row.leadId,
        account_id: row.accountId,
        agent_id: row.agentId,
        draft_id: row.draftId,
        state: row.state,
        reason: row.reason,
        note: row.note,
        sent_at: row.sentAt,
        ended_at: row.endedAt,
        created_at: row.createdAt,
        updated_at: row.updatedAt
      })),
    drafts: sorted(tables.all(drafts, organizationId).filter(mine), (row) => `${row.createdAt} ${row.id}`).map(
      (row) => ({
        draft_id: row.id,
        lead_id: row.leadId,
        agent_id: row.agentId,
        mission_id: row.missionId,
        status: row.status,
        variations: row.variations,
        selected_body_text: row.selectedBodyText,
        flag_note: row.review.flagNote,
        rejection: row.review.rejection?.text ?? null,
        rewrite: row.review.rewrite?.text ?? null,
        provenance: row.steps.map((step) => ({ ...step })),
        evidence: row.evidence.map((item) => ({ ...item })),
        approved_at: row.approvedAt,
        cancelled_at: row.cancelledAt,
        dispatched_at: row.dispatchedAt,
        created_at: row.createdAt,
        updated_at: row.updatedAt
      })
    ),
    queue: sent
      .filter((row) => row.kind === "message")
      .map((row) => ({
        queue_id: row.id,
        draft_id: row.draftId,
        lead_id: row.leadId,
        account_id: row.accountId,
        state: row.state,
        reason: row.reason,
        body_text: row.bodyText,
        invitation_note: row.invitationNote,
        invited_at: row.invitedAt,
        created_at: row.createdAt,
        updated_at: row.updatedAt
      })),
    emails: sent
      .filter((row) => row.kind === "email")
      .map((row) => ({
        email_id: row.id,
        lead_id: row.leadId,
        agent_id: row.agentId,
        mission_id: row.missionId,
        state: row.state,
        from: row.fromAddress,
        to: row.toAddress,
        subject: row.subject,
        body_text: row.bodyText,
        body_html: row.bodyHtml,
        provenance: row.steps.map((step) => ({ ...step })),
        sent_at: row.sentAt,
        created_at: row.createdAt,
        updated_at: row.updatedAt
      })),
    transmissions: sorted(
      tables.all(attempts, organizationId).filter(({ queueItemId }) => sentIds.has(queueItemId)),
      (row) => `${row.startedAt} ${row.queueItemId} ${row.number}`
    ).map((row) => ({
      queue_id: row.queueItemId,
      number: row.number,
      account_id: row.accountId,
      action: row.action,
      outcome: row.outcome,
      detail: row.detail,
      started_at: row.startedAt,
      ended_at: row.endedAt
    })),
    relations: sorted(
      tables.all(relations, organizationId).filter(mine),
      ({ accountId, leadId }) => `${accountId} ${leadId}`
    ).map((row) => ({
      account_id: row.accountId,
      lead_id: row.leadId,
      connected: row.connected,
      chat_id: row.chatId,
      invited_at: row.invitedAt,
      checked_at: row.checkedAt
    }))
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
    ).map(({ createdAt, kind, reason, until, value }) => ({ kind, value, reason, until, created_at: createdAt })),
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
