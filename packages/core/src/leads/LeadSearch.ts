/** Lists of leads: what they are filtered and sorted by, and what they hold. Source: catalogue 4.1 (lead.search). */
import type { Position } from "../Page.ts"
import type { LeadRow } from "./Lead.ts"
import type { LeadStatus } from "./LeadStatus.ts"
import { type ActionKind, actionRank } from "./NextAction.ts"

/** How an account and a lead can stand, as lists are filtered by it. */
export type RelationFilter = "connected" | "invited" | "none"

/** Which leads of a list. Texts match in any case; `firstName` begins the name, `lastName` ends it, others are parts. */
export interface LeadFilter {
  readonly query: string | undefined
  readonly firstName: string | undefined
  readonly lastName: string | undefined
  readonly company: string | undefined
  readonly jobTitle: string | undefined
  /** Key form of an address that the lead holds. */
  readonly email: string | undefined
  readonly statuses: ReadonlyArray<LeadStatus> | undefined
  /** Id or handle. */
  readonly mission: string | undefined
  readonly importId: string | undefined
  readonly scoreMin: number | undefined
  readonly isFlagged: boolean | undefined
  readonly hasEmail: boolean | undefined
  readonly hasConversation: boolean | undefined
  readonly relation: RelationFilter | undefined
  readonly needsAction: boolean | undefined
  readonly createdAfter: string | undefined
  readonly updatedAfter: string | undefined
}

/** Leaves nobody out. */
export const anyLead: LeadFilter = {
  query: undefined,
  firstName: undefined,
  lastName: undefined,
  company: undefined,
  jobTitle: undefined,
  email: undefined,
  statuses: undefined,
  mission: undefined,
  importId: undefined,
  scoreMin: undefined,
  isFlagged: undefined,
  hasEmail: undefined,
  hasConversation: undefined,
  relation: undefined,
  needsAction: undefined,
  createdAfter: undefined,
  updatedAfter: undefined
}

/** `action`: most urgent, then best score; `score`: best first; `recent`: latest change first; `name`: A to Z. */
export type LeadSort = "action" | "score" | "recent" | "name"

/** A lead of a list. */
export interface ListedLead
  extends Pick<
    LeadRow,
    | "id"
    | "name"
    | "headline"
    | "jobTitle"
    | "company"
    | "email"
    | "linkedinUrl"
    | "avatarUrl"
    | "score"
    | "status"
    | "isFlagged"
    | "lastInboundAt"
    | "lastOutboundAt"
    | "createdAt"
    | "updatedAt"
  > {
  readonly action: ActionKind | null
}

/** Place of a lead in a sorted list, for cursors; ids break ties. */
export const positionOf = (sort: LeadSort, lead: ListedLead): Position => {
  switch (sort) {
    case "action":
      return [actionRank(lead.action), -lead.score, lead.id]
    case "score":
      return [-lead.score, lead.id]
    case "recent":
      return [lead.updatedAt, lead.id]
    case "name":
      return [lead.name.toLowerCase(), lead.id]
  }
}

/** The most that `total` counts to. */
export const largestTotal = 10_000

/** A page of leads; `total` counts all that match, at most {@link largestTotal}. */
export interface LeadPage {
  readonly items: ReadonlyArray<ListedLead>
  readonly next: Position | undefined
  readonly total: number
}
