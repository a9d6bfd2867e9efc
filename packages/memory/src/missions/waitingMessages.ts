/** Counts the unsent messages of a mission in the in-memory store. */
import type { MissionId, OrganizationId } from "@svc/core"
import type { WaitingMessages } from "@svc/core/missions"
import type { Tables } from "../MemoryStore.ts"
import { drafts, messageOf } from "../outreach/LinkedInTables.ts"

/** The unsent messages of a mission by state. */
export const waitingMessages = (
  tables: Tables,
  organizationId: OrganizationId,
  missionId: MissionId
): WaitingMessages => {
  const mine = tables.all(drafts, organizationId).filter((row) => row.missionId === missionId)
  const approved = mine.filter(({ status }) => status === "READY_TO_SEND").map((row) => messageOf(tables, row))
  const isWaiting = (state: string) => state === "queued" || state === "waiting_relation"
  return {
    toReview: mine.filter(({ status }) => status === "PENDING_REVIEW").length,
    held: approved.filter((item) => item === undefined || (isWaiting(item.state) && !item.bypass)).length,
    bypassing: approved.filter((item) => item !== undefined && isWaiting(item.state) && item.bypass).length,
    ambiguous: approved.filter((item) => item?.state === "ambiguous").length
  }
}
