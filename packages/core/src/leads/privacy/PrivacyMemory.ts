/** Reading and removing a person in the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { emails } from "../../email/EmailTables.ts"
import { fail } from "../../Failure.ts"
import { forgetImportRows } from "../../imports/ImportTables.ts"
import { events, forgetAnswers } from "../../JournalMemory.ts"
import {
  attemptKey,
  attempts,
  drafts,
  invitations,
  queueItems,
  relationKey,
  relations
} from "../../linkedin/LinkedInTables.ts"
import { MemoryStore, type Tables } from "../../MemoryStore.ts"
import { deliveries } from "../../webhooks/WebhookTables.ts"
import { leadNotes } from "../history/HistoryTables.ts"
import { isAbout } from "../history/LeadHistoryMemory.ts"
import { leadIdentities, leadIdentityKey, leadMessages, leadMissionKey, leadMissions, leads } from "../LeadTables.ts"
import type { Suppressible } from "../suppression/Suppression.ts"
import { suppressionKey, suppressions, tombstoneHash, tombstones } from "../suppression/SuppressionTables.ts"
import { isTelling, keptEventData } from "./LeadFile.ts"
import { leadFile } from "./leadFileMemory.ts"
import { type Erasure, PrivacyRepo } from "./PrivacyRepo.ts"

const forgetRecords = (tables: Tables, organizationId: string, ids: ReadonlyArray<string>): void => {
  const mine = ({ leadId }: { readonly leadId: string | null }) => leadId !== null && ids.includes(leadId)
  for (const row of tables.all(leadIdentities, organizationId).filter(mine)) {
    tables.remove(leadIdentities, organizationId, leadIdentityKey(row))
  }
  for (const row of tables.all(leadMissions, organizationId).filter(mine)) {
    tables.remove(leadMissions, organizationId, leadMissionKey(row))
  }
  for (const { id } of tables.all(leadMessages, organizationId).filter(mine)) {
    tables.remove(leadMessages, organizationId, id)
  }
  for (const { id } of tables.all(leadNotes, organizationId).filter(mine)) tables.remove(leadNotes, organizationId, id)
  const items = tables.all(queueItems, organizationId).filter(mine)
  for (const { id } of items) tables.remove(queueItems, organizationId, id)
  const asked = tables.all(invitations, organizationId).filter(mine)
  for (const { id } of asked) tables.remove(invitations, organizationId, id)
  const sendIds = new Set([...items, ...asked].map(({ id }) => id))
  for (const { id } of tables.all(drafts, organizationId).filter(mine)) tables.remove(drafts, organizationId, id)
  for (const row of tables.all(relations, organizationId).filter(mine)) {
    tables.remove(relations, organizationId, relationKey(row))
  }
  for (const attempt of tables.all(attempts, organizationId)) {
    if (!sendIds.has(attempt.queueItemId)) continue
    tables.set(attempts, organizationId, attemptKey(attempt), { ...attempt, detail: null })
  }
  const letters = tables.all(emails, organizationId).filter(mine)
  for (const { id } of letters) tables.remove(emails, organizationId, id)
  for (const row of tables.all(deliveries, organizationId)) {
    const reviewed = Object(row.payload["data"])["review_id"]
    if (
      row.sequence === null &&
      row.event_type === "email.review.requested" &&
      letters.some(({ id }) => id === reviewed)
    ) {
      tables.remove(deliveries, organizationId, row.delivery_id)
    }
  }
  for (const id of ids) tables.remove(leads, organizationId, id)
}

const keptOf = (data: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(Object(data)).filter(([name]) => keptEventData.some((kept) => kept === name)))

/** Events, and what webhooks were told of them. */
const forgetEvents = (tables: Tables, organizationId: string, ids: ReadonlyArray<string>): void => {
  const cleared = tables.all(events, organizationId).filter((event) => isAbout(event, ids))
  for (const event of cleared) {
    tables.set(events, organizationId, event.id, { ...event, data: keptOf(event.data) })
  }
  for (const row of tables.all(deliveries, organizationId)) {
    if (!cleared.some(({ id }) => id === row.event_id)) continue
    const payload = { ...row.payload, data: keptOf(row.payload.data) }
    tables.set(deliveries, organizationId, row.delivery_id, { ...row, payload, last_error: "" })
  }
}

/** Every identifier by which the people were known. */
const identifiersOf = (
  tables: Tables,
  organizationId: string,
  ids: ReadonlyArray<string>
): ReadonlyArray<Suppressible> => {
  const named: ReadonlyArray<Suppressible & { readonly leadId: string | null }> = [
    ...tables.all(leadIdentities, organizationId),
    ...tables.all(suppressions, organizationId).filter(({ kind }) => kind !== "lead" && kind !== "domain")
  ]
  const mine = named.filter(({ leadId }) => leadId !== null && ids.includes(leadId))
  return [...new Map(mine.map(({ kind, value }) => [suppressionKey({ kind, value }), { kind, value }])).values()]
}

const erase = (tables: Tables, organizationId: string, leadId: string, at: string): Erasure | undefined => {
  const file = leadFile(tables, organizationId, leadId)
  if (file === undefined) return undefined
  if (
    [...file.records.queue, ...file.records.invitations, ...file.records.emails].some(
      ({ state }) => state === "sending"
    )
  )
    throw fail("DRAFT_IN_FLIGHT")
  const leadIds = file.leads.map(({ id }) => id)
  const [live] = file.leads
  const identifiers = identifiersOf(tables, organizationId, leadIds)
  const keys = new Set(identifiers.map(suppressionKey))
  for (const row of tables.all(suppressions, organizationId)) {
    const isTheirs = keys.has(suppressionKey(row)) || (row.leadId !== null && leadIds.includes(row.leadId))
    if (isTheirs) tables.remove(suppressions, organizationId, suppressionKey(row))
  }
  for (const identifier of identifiers) {
    const hash = tombstoneHash(organizationId, identifier)
    tables.set(tombstones, organizationId, hash, { hash, kind: identifier.kind, leadId: live.id, erasedAt: at })
  }
  forgetRecords(tables, organizationId, leadIds)
  forgetEvents(tables, organizationId, leadIds)
  const names = file.leads.map(({ name }) => name).filter(isTelling)
  const texts = [...leadIds, ...identifiers.map(({ value }) => value), ...names]
  forgetImportRows(tables, organizationId, leadIds, texts)
  forgetAnswers(tables, organizationId, texts)
  return { leadIds, tombstones: identifiers.length }
}

/** Reads and removes people in memory. */
export const layer: Layer.Layer<PrivacyRepo, never, MemoryStore> = Layer.effect(
  PrivacyRepo,
  Effect.map(MemoryStore, (store) =>
    PrivacyRepo.of({
      read: (organizationId, leadId) => store.read((tables) => leadFile(tables, organizationId, leadId)),
      erase: (organizationId, leadId, at) => store.write((tables) => erase(tables, organizationId, leadId, at))
    })
  )
)
