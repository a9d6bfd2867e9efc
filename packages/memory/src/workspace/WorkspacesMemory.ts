/** The workspace in the in-memory store. */
import { Workspaces } from "@svc/core/workspace"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryStore } from "../MemoryStore.ts"
import { approvalsIn } from "./ApprovalsMemory.ts"
import { auditLog } from "./AuditLogMemory.ts"
import { eventFeed } from "./EventFeedMemory.ts"
import { organizations } from "./OrganizationsMemory.ts"
import { deleteBefore } from "./RetentionMemory.ts"

/** Keeps organizations, and what belongs to all of their data, in memory. */
export const layer: Layer.Layer<Workspaces, never, MemoryStore> = Layer.effect(
  Workspaces,
  Effect.map(MemoryStore, (store) => ({
    ...organizations(store),
    approvals: approvalsIn(store),
    audit: auditLog(store),
    events: eventFeed(store),
    deleteBefore: deleteBefore(store)
  }))
)
