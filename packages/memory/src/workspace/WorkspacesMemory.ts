/** The workspace in the in-memory store. */
import { Workspaces } from "@svc/core/workspace"
import { repository } from "../MemoryStore.ts"
import { approvalsIn } from "./ApprovalsMemory.ts"
import { auditLog } from "./AuditLogMemory.ts"
import { eventFeed } from "./EventFeedMemory.ts"
import { organizations } from "./OrganizationsMemory.ts"
import { deleteBefore } from "./RetentionMemory.ts"

/** Keeps organizations, and what belongs to all of their data, in memory. */
export const layer = repository(Workspaces, (store) => ({
  ...organizations(store),
  approvals: approvalsIn(store),
  audit: auditLog(store),
  events: eventFeed(store),
  deleteBefore: deleteBefore(store)
}))
