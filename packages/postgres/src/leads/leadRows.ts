/** Leads as rows of the database, and back. */

import type { OrganizationId } from "@svc/core"
import { emptyContent, snakeCase } from "@svc/core/internal"
import * as Leads from "@svc/core/leads"

/** The columns of content that has one. */
const columns: ReadonlyMap<string, string> = new Map(Leads.columnFields.map((field) => [field, snakeCase(field)]))

/** The columns of the content of a lead `l`. */
export const contentColumns = [...columns.values()].map((column) => `l.${column}`).join(", ")

/** The fields that each source wrote last, separated by spaces: a third of the size of an object of fields. */
type StoredProvenance = { readonly user?: string; readonly import?: string }

/** A lead inside JSON, with the columns of its content. Instants are texts in PostgreSQL's format. */
interface LeadJson {
  readonly [column: string]: unknown
  readonly id: string
  readonly status: Leads.LeadStatus
  readonly last_inbound_at: string | null
  readonly last_outbound_at: string | null
  readonly snoozed_until: string | null
  readonly away_until: string | null
  readonly draft_request: Leads.DraftRequest | null
  readonly created_at: string
  readonly updated_at: string
  readonly organization_id: OrganizationId
  readonly merged_into: string | null
  /** Content without a column, without empty fields, and who wrote each field. */
  readonly profile: StoredProvenance & Readonly<Record<string, unknown>>
}

/** A lead with its related records, as `svc_lead_documents` returns it. */
export interface LeadDocument {
  readonly row: LeadJson
  readonly identities: ReadonlyArray<Leads.Identity>
  readonly missions: ReadonlyArray<Leads.MissionOfLead>
  readonly messages: ReadonlyArray<Leads.LeadMessage>
  readonly suppressions: ReadonlyArray<Leads.SuppressionEntry>
}

/** The context of a lead, as JSON. */
export type LeadContext = Pick<Leads.LeadView, "briefs" | "openDraft" | "hasAmbiguousSend" | "relation"> & {
  /** Null without an active mission with steps. */
  readonly followUps: Leads.FollowUpFacts | null
}

const iso = (instant: string): string => new Date(instant).toISOString()

const isoOrNull = (instant: string | null): string | null => instant && iso(instant)

/** Who wrote each field. */
const provenanceOf = (stored: StoredProvenance): Leads.LeadRow["provenance"] => {
  const known: Record<string, Leads.FieldSource> = {}
  for (const source of ["user", "import"] as const) {
    for (const field of stored[source]?.split(" ") ?? []) known[field] = source
  }
  return known
}

const storedProvenanceOf = (provenance: Leads.LeadRow["provenance"]): StoredProvenance => {
  const fields: Record<string, string> = {}
  for (const [field, source] of Object.entries(provenance)) {
    const others = fields[source]
    fields[source] = others === undefined ? field : `${others} ${field}`
  }
  return fields
}

/** A lead. */
export const rowOf = (row: LeadJson): Leads.LeadRow => {
  const { import: _import, user: _user, ...known } = row.profile
  return {
    ...emptyContent,
    ...known,
    ...(Object.fromEntries([...columns].map(([field, column]) => [field, row[column]])) as Pick<
      Leads.LeadRow,
      Leads.ColumnField
    >),
    id: row.id,
    organizationId: row.organization_id,
    status: row.status,
    provenance: provenanceOf(row.profile),
    lastInboundAt: isoOrNull(row.last_inbound_at),
    lastOutboundAt: isoOrNull(row.last_outbound_at),
    snoozedUntil: isoOrNull(row.snoozed_until),
    awayUntil: isoOrNull(row.away_until),
    draftRequest: row.draft_request,
    mergedInto: row.merged_into,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at)
  }
}

/** A suppression entry inside JSON. */
export const entryOf = (entry: Leads.SuppressionEntry): Leads.SuppressionEntry => ({
  ...entry,
  until: isoOrNull(entry.until),
  createdAt: iso(entry.createdAt)
})

/** A lead with its related records. */
export const storedOf = ({ identities, messages, missions, row, suppressions }: LeadDocument): Leads.StoredLead => ({
  row: rowOf(row),
  identities: Leads.sortIdentities(identities),
  missions: missions.map((mission) => ({ ...mission, linkedAt: iso(mission.linkedAt) })),
  messages: messages.map((message) => ({ ...message, date: iso(message.date) })),
  suppressions: suppressions.map(entryOf)
})

/** A lead with its context. */
export const viewOf = (document: LeadDocument & { readonly context: LeadContext }): Leads.LeadView => {
  const { briefs, hasAmbiguousSend, openDraft, relation } = document.context
  return {
    ...storedOf(document),
    briefs: briefs.map((brief) => ({ ...brief, brief: Leads.leadBriefOf(brief.brief) })),
    hasAmbiguousSend,
    openDraft: openDraft && {
      ...openDraft,
      createdAt: iso(openDraft.createdAt),
      snoozedUntil: openDraft.snoozedUntil && iso(openDraft.snoozedUntil)
    },
    relation: relation && {
      ...relation,
      invitedAt: isoOrNull(relation.invitedAt),
      checkedAt: iso(relation.checkedAt)
    },
    followUps: followUpsOf(document.context.followUps)
  }
}

const followUpsOf = (facts: Leads.FollowUpFacts | null): Leads.FollowUpContext => ({
  isBounced: facts?.isBounced ?? false,
  acceptedAt: isoOrNull(facts?.acceptedAt ?? null),
  inMissions: facts?.inMissions.map((mission) => ({ ...mission, linkedAt: iso(mission.linkedAt) })) ?? []
})

/** What `svc_follow_up_facts` returns of a lead. */
export const followUpFactsOf = (facts: Leads.FollowUpFacts): Leads.FollowUpFacts => ({
  ...facts,
  ...followUpsOf(facts),
  lastInboundAt: isoOrNull(facts.lastInboundAt),
  lastOutboundAt: isoOrNull(facts.lastOutboundAt),
  snoozedUntil: isoOrNull(facts.snoozedUntil),
  awayUntil: isoOrNull(facts.awayUntil)
})

const capitals = /[A-Z]+/g
const nonAscii = /[^ -~\n]/

/** The text that lists search; the schema names its lines. Null where SQL folds it alike. */
const searchTextOf = (row: Leads.LeadRow): string | null => {
  const text = Leads.searchedText(row)
  if (!nonAscii.test(text)) return null
  const folded = text.toLowerCase()
  return folded === text.replace(capitals, (letters) => letters.toLowerCase()) ? null : folded
}

/** The parameter that stores a lead. */
export const parameterOf = (row: Leads.LeadRow) => {
  const stored: Record<string, unknown> = { id: row.id }
  const profile: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(Leads.contentOf(row))) {
    const column = columns.get(field)
    if (column !== undefined) stored[column] = value
    else if (value !== "" && (typeof value !== "object" || Object.keys(value).length > 0)) profile[field] = value
  }
  return {
    ...stored,
    status: row.status,
    search_text: searchTextOf(row),
    profile: Object.assign(profile, storedProvenanceOf(row.provenance)),
    last_inbound_at: row.lastInboundAt,
    last_outbound_at: row.lastOutboundAt,
    snoozed_until: row.snoozedUntil,
    away_until: row.awayUntil,
    draft_request: row.draftRequest,
    merged_into: row.mergedInto,
    created_at: row.createdAt,
    updated_at: row.updatedAt
  }
}

/** The parameters that store the labels of a lead: what lists of it are sorted by goes with each. Merged leads have none. */
export const labelParametersOf = (row: Leads.LeadRow) => {
  const sorted = { updated_at: row.updatedAt, place: -row.score, lead_name: row.name.toLowerCase() }
  return row.mergedInto === null ? Leads.labelsOf(row).map((label) => ({ lead_id: row.id, ...label, ...sorted })) : []
}
