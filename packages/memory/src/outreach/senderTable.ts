/** The in-memory tables of senders: how they are paced, and when they were last served. */

import type { OrganizationId } from "@svc/core"
import { type AccountPace, freshPace, type Transmission } from "@svc/core/outreach"
import { type Tables, table } from "../MemoryStore.ts"

/** Senders by id: accounts, and agents for their e-mails. */
export const senders = table<AccountPace>("senders")

/** The number of the last turn of each sender, whose lowest is next, and of all together. */
export const lastTurns = table<number>("last turns")

/** The sender of a transmission. */
export const senderOf = ({ accountId, agentId }: Transmission): string => accountId ?? agentId

/** Changes what is stored of a sender. */
export const changeSender = (
  tables: Tables,
  organizationId: OrganizationId,
  senderId: string,
  change: Partial<AccountPace>
): void => {
  const before = tables.get(senders, organizationId, senderId) ?? freshPace
  tables.set(senders, organizationId, senderId, { ...before, ...change })
}
