/** Exporting and erasing a person in the in-memory store. */

import type { LeadId, OrganizationId } from "@svc/core"
import {
  DraftInFlight,
  type Erasure,
  identityKey,
  keptEventData,
  mentions,
  PrivacyRepo,
  type Suppressible
} from "@svc/core/leads"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { eraseImportRows } from "../imports/ImportTables.ts"
import { eraseResponses, events } from "../JournalMemory.ts"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import { attempts, drafts, relations, transmissions } from "../outreach/LinkedInTables.ts"
import { deliveries } from "../webhooks/WebhooksMemory.ts"
import { isAbout } from "./LeadHistoryMemory.ts"
import { leadIdentities, leadMessages, leadNotes, removeLeads } from "./LeadTables.ts"
import { leadFile } from "./leadFileMemory.ts"
import { suppressions, suppressionsMemory, tombstoneKey, tombstones } from "./SuppressionsMemory.ts"

const eraseRecords = (tables: Tables, organizationId: OrganizationId, ids: ReadonlyArray<string>): void => {
  const mine = ({ leadId }: { readonly leadId: LeadId | null }) => leadId !== null && ids.includes(leadId)
  tables.removeWhere(leadMessages, organizationId, mine)
  tables.removeWhere(leadNotes, organizationId, mine)
  const sentIds = new Set<unknown>(tables.removeWhere(transmissions, organizationId, mine).map(({ id }) => id))
  tables.removeWhere(drafts, organizationId, mine)
  tables.removeWhere(relations, organizationId, mine)
  tables.updateWhere(
    attempts,
    organizationId,
    ({ queueItemId }) => sentIds.has(queueItemId),
    (attempt) => ({ ...attempt, detail: null })
  )
  tables.removeWhere(
    deliveries,
    organizationId,
    ({ event_type, payload, sequence }) =>
      sequence === null && event_type === "email.review.requested" && sentIds.has(Object(payload["data"])["review_id"])
  )
  removeLeads(tables, organizationId, ids)
}

const keptOf = (data: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(Object(data)).filter(([name]) => keptEventData.some((kept) => kept === name)))

/** Erases the person from events and from their webhook deliveries. */
const eraseEvents = (tables: Tables, organizationId: OrganizationId, ids: ReadonlyArray<string>): void => {
  const erased = tables.updateWhere(
    events,
    organizationId,
    (event) => isAbout(event, ids),
    (event) => ({ ...event, data: keptOf(event.data) })
  )
  tables.updateWhere(
    deliveries,
    organizationId,
    ({ event_id }) => erased.some(({ id }) => id === event_id),
    (row) => ({ ...row, payload: { ...row.payload, data: keptOf(row.payload.data) }, last_error: "" })
  )
}

/** Every identifier of the leads. */
const identifiersOf = (
  tables: Tables,
  organizationId: OrganizationId,
  ids: ReadonlyArray<string>
): ReadonlyArray<Suppressible> => {
  const named: ReadonlyArray<Suppressible & { readonly leadId: LeadId | null }> = [
    ...tables.all(leadIdentities, organizationId),
    ...tables.all(suppressions, organizationId).filter(({ kind }) => kind !== "lead" && kind !== "domain")
  ]
  const mine = named.filter(({ leadId }) => leadId !== null && ids.includes(leadId))
  return [...new Map(mine.map(({ kind, value }) => [identityKey({ kind, value }), { kind, value }])).values()]
}

const erase = (
  tables: Tables,
  organizationId: OrganizationId,
  leadId: LeadId,
  at: string
): Result.Result<Erasure | undefined, DraftInFlight> => {
  const file = leadFile(tables, organizationId, leadId)
  if (file === undefined) return Result.succeed(undefined)
  const { emails, invitations, queue } = file.records
  if ([...queue, ...invitations, ...emails].some(({ state }) => state === "sending")) {
    return Result.fail(new DraftInFlight())
  }
  const leadIds = file.leads.map(({ id }) => id)
  const [live] = file.leads
  const identifiers = identifiersOf(tables, organizationId, leadIds)
  const keys = new Set(identifiers.map(identityKey))
  tables.removeWhere(
    suppressions,
    organizationId,
    (row) => keys.has(identityKey(row)) || (row.leadId !== null && leadIds.includes(row.leadId))
  )
  for (const identifier of identifiers) {
    const hash = tombstoneKey(organizationId, identifier)
    tables.set(tombstones, organizationId, hash, { hash, kind: identifier.kind, leadId: live.id, erasedAt: at })
  }
  eraseRecords(tables, organizationId, leadIds)
  eraseEvents(tables, organizationId, leadIds)
  const isNamed = mentions({ leadIds, identifiers })
  eraseImportRows(tables, organizationId, leadIds, isNamed)
  eraseResponses(tables, organizationId, isNamed)
  return Result.succeed({ leadIds, tombstones: identifiers.length })
}

/** Exports and erases people in memory. */
export const layer: Layer.Layer<PrivacyRepo, never, MemoryStore> = Layer.effect(
  PrivacyRepo,
  Effect.map(MemoryStore, (store) =>
    PrivacyRepo.of({
      ...suppressionsMemory(store),
      readFile: (organizationId, leadId) => store.read((tables) => leadFile(tables, organizationId, leadId)),
      erase: (organizationId, leadId, at) => store.tryWrite((tables) => erase(tables, organizationId, leadId, at))
    })
  )
)
