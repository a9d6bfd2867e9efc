/** Lists of leads: filters, sort orders and items. */

import type { ImportId } from "../kernel/schema/IdsAndTime.ts"
import type { Position } from "../kernel/schema/Page.ts"
import type { ColumnField, LeadRow } from "./Lead.ts"
import type { LeadStatus } from "./LeadStatus.ts"
import { type ActionKind, actionRank } from "./NextAction.ts"

/** LinkedIn relation of an account and a lead, as a filter. */
export type RelationFilter = "connected" | "invited" | "none"

/** A filter. Texts ignore case; `firstName` matches the start of the name, `lastName` its end, the others any part. */
export interface LeadFilter {
  readonly query?: string | undefined
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly company?: string | undefined
  readonly jobTitle?: string | undefined
  /** Normal form of an email address of the lead. */
  readonly email?: string | undefined
  readonly statuses?: ReadonlyArray<LeadStatus> | undefined
  /** Id or handle. */
  readonly mission?: string | undefined
  readonly importId?: ImportId | undefined
  readonly scoreMin?: number | undefined
  readonly isFlagged?: boolean | undefined
  readonly hasEmail?: boolean | undefined
  readonly hasConversation?: boolean | undefined
  readonly relation?: RelationFilter | undefined
  readonly needsAction?: boolean | undefined
  readonly createdAfter?: string | undefined
  readonly updatedAfter?: string | undefined
}

/** `action`: most urgent, then best score; `score`: best first; `recent`: latest change first; `name`: A to Z. */
export type LeadSort = "action" | "score" | "recent" | "name"

/** A lead in a list. */
export interface ListedLead
  extends Pick<
    LeadRow,
    ColumnField | "id" | "status" | "lastInboundAt" | "lastOutboundAt" | "createdAt" | "updatedAt"
  > {
  readonly action: ActionKind | null
}

/** Position of a lead in a sorted list, for cursors; ids break ties. */
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

/** Upper bound of `total`. */
export const maxTotal = 10_000

/** A page of leads; `total` counts all that match, at most {@link maxTotal}. */
export interface LeadPage {
  readonly items: ReadonlyArray<ListedLead>
  readonly next: Position | undefined
  readonly total: number
}
