/** Approval requests in the in-memory store. */

import { newestFirst, type OrganizationId } from "@svc/core"
import { compareText } from "@svc/core/leads"
import { type ApprovalRow, type Approvals, stateAt } from "@svc/core/workspace"
import { approvals } from "../JournalMemory.ts"
import type { MemoryStore, Tables } from "../MemoryStore.ts"

/** The instant of the state that a request is in. */
const stateSince = ({ createdAt, resolvedAt }: ApprovalRow) => resolvedAt ?? createdAt

const everywhere = (tables: Tables) =>
  tables.partitions(approvals).flatMap((organizationId) => tables.all(approvals, organizationId))

/** Approval requests in memory. */
export const approvalsIn = (store: MemoryStore["Service"]): Approvals => {
  const find = (organizationId: OrganizationId, id: string) =>
    store.read((tables) => tables.get(approvals, organizationId, id))
  return {
    find,
    hold: find,
    list: (organizationId, { hidden, now, requester, state }, page) =>
      store.read((tables) =>
        newestFirst(
          tables
            .all(approvals, organizationId)
            .filter((row) => state === undefined || stateAt(row, now) === state)
            .filter(({ commandId }) => !hidden.includes(commandId))
            .filter(
              ({ requestedBy: { keyId, userId } }) =>
                requester === undefined || (requester.keyId === keyId && requester.userId === userId)
            ),
          page
        )
      ),
    replace: (row) => store.write((tables) => tables.set(approvals, row.organizationId, row.id, row)),
    overdue: (now, limit) =>
      store.read((tables) =>
        everywhere(tables)
          .filter(({ expiresAt, state }) => state === "pending" && expiresAt <= now)
          .sort((a, b) => compareText(a.expiresAt, b.expiresAt) || compareText(a.id, b.id))
          .slice(0, limit)
      ),
    takeMail: ({ limit, now, since, until }) =>
      store.write((tables) => {
        const due = everywhere(tables)
          .filter((row) => row.mailAt !== null && row.mailAt <= now && stateSince(row) >= since)
          .slice(0, limit)
          .map((row) => ({ ...row, mailAt: until }))
        for (const row of due) tables.set(approvals, row.organizationId, row.id, row)
        return due
      }),
    putMail: (taken, left) =>
      store.write((tables) => {
        const row = tables.get(approvals, taken.organizationId, taken.id)
        if (row === undefined || row.state !== taken.state || row.mailAt !== taken.mailAt) return
        const mailAt = left.length === 0 ? null : row.mailAt
        tables.set(approvals, row.organizationId, row.id, { ...row, mailTo: left, mailAt })
      })
  }
}
