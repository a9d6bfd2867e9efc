/**
 * What workers would find in the tables of an organization, but not by the table of due work: nothing, ever. It asks the claims of the
 * workers themselves, in a transaction that is undone.
 */
import * as Effect from "effect/Effect"
import { MailboxesRepo } from "#core/email/MailboxesRepo.ts"
import { type DueKind, DueWork } from "#core/kernel/background/DueWork.ts"
import type { StoreEffect } from "#core/kernel/failure/failures.ts"
import { Transaction } from "#core/kernel/journal/Journal.ts"
import { AccountsRepo } from "#core/outreach/provider/AccountsRepo.ts"
import { LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import { SendOptions } from "#core/outreach/SendOptions.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"

/** Kinds with work at an instant that no worker would be told of. */
export const missedWork = Effect.fnUntraced(function* (organizationId: string, now: string) {
  const { find } = yield* DueWork
  const { run } = yield* Transaction
  const { pacing: isPaced } = yield* SendOptions
  const { name: gateway } = yield* LinkedInGateway
  const repo = yield* TransmissionsRepo
  const { takePolls } = yield* AccountsRepo
  const { approvals } = yield* Workspaces
  const request = { organizationId, now, leaseSeconds: 15, limit: 10 }
  const take = (kind: "email" | "invitation" | "message") => repo.take({ ...request, kind, isPaced })
  const unsettled = (kind: "email" | "invitation" | "message", state: "ambiguous" | "sending") =>
    repo.takeUnsettled({ ...request, kind, state })
  const works: Readonly<Partial<Record<DueKind, ReadonlyArray<StoreEffect<ReadonlyArray<unknown>>>>>> = {
    linkedin: [
      take("message"),
      take("invitation"),
      unsettled("message", "sending"),
      unsettled("invitation", "sending")
    ],
    emails: [take("email"), unsettled("email", "sending"), repo.expired(request)],
    outcomes: [unsettled("message", "ambiguous"), unsettled("invitation", "ambiguous")],
    inboxes: [takePolls({ ...request, gateway, pauseSeconds: 600 })],
    mailboxes: [(yield* MailboxesRepo).takeInboxes(request)],
    approvals: [approvals.overdue(organizationId, now, 10)],
    notices: [approvals.takeMail({ ...request, since: "1970-01-01T00:00:00.000Z", until: now })]
  }
  const missed: Array<string> = []
  for (const kind of ["linkedin", "emails", "outcomes", "inboxes", "mailboxes", "approvals", "notices"] as const) {
    if ((yield* find(kind, now, 1_000)).includes(organizationId)) continue
    for (const [index, work] of (works[kind] ?? []).entries()) {
      const undone = run(Effect.flatMap(work, (found) => Effect.fail(found.length)))
      const count = yield* Effect.catch(undone, Effect.succeed)
      if (count !== 0) missed.push(`${kind} ${index} at ${now}`)
    }
  }
  if (!(yield* find("retention", "9999-01-01T00:00:00.000Z", 1_000)).includes(organizationId)) missed.push("retention")
  return missed
})
