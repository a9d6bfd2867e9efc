/** Erases leads that an organization has kept for as long as its policy says. */
import * as Effect from "effect/Effect"
import { runAsService, type SystemNeeds } from "../../kernel/background/Worker.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import { isoFromMillis, type LeadId, now, type OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import type { Position } from "../../kernel/schema/Page.ts"
import { textRules } from "../../workspace/approvals/Policies.ts"
import type { Deleted } from "../../workspace/retention/Retention.ts"
import { Workspaces } from "../../workspace/Workspaces.ts"
import { holdLead } from "../findLead.ts"
import type { LeadsRepo } from "../LeadsRepo.ts"
import { eraseLead, keptUntil } from "./eraseLead.ts"
import { PrivacyRepo } from "./PrivacyRepo.ts"

/** Leads read with one statement, and erased in the turn of an organization. */
const limits = { read: 1_000, erased: 100 }

/** Erases a lead unless it changed meanwhile, which is decided under its lock. Returns how many were erased. */
const eraseIfExpired = Effect.fnUntraced(function* (leadId: LeadId) {
  const { row } = yield* holdLead(leadId)
  const until = keptUntil(row, yield* textRules)
  if (until === null || until > (yield* now)) return 0
  yield* eraseLead(row, `retention_days: ${row.lawfulBasis || "none"}`)
  return 1
})

/**
 * Erases leads of one organization, those that changed longest ago first. One that cannot be erased, such as while a message to
 * it is being sent, is left for the next time.
 */
export const eraseExpired = Effect.fnUntraced(function* (
  organizationId: OrganizationId
): Effect.fn.Return<Deleted, StoreFailure, Workspaces | SystemNeeds<LeadsRepo | PrivacyRepo>> {
  const rules = yield* (yield* Workspaces).organizationPolicy(organizationId)
  const days = Object.values(rules.retentionDays ?? {})
  if (days.length === 0) return { count: 0, isMore: false }
  const at = yield* now
  const before = isoFromMillis(Date.parse(at) - Math.min(...days) * 86_400_000)
  const { unchangedSince } = yield* PrivacyRepo
  let count = 0
  let after: Position | undefined
  do {
    const page = yield* unchangedSince(organizationId, before, { limit: limits.read, after })
    for (const lead of page.items) {
      const until = keptUntil(lead, rules)
      if (lead.mergedInto !== null || until === null || until > at) continue
      if (count === limits.erased) return { count, isMore: true }
      count += yield* Effect.catchCause(runAsService(organizationId, eraseIfExpired(lead.id)), (cause) =>
        Effect.as(Effect.logWarning("An old lead was not erased", { lead: lead.id }, cause), 0)
      )
    }
    after = page.next
  } while (after !== undefined)
  return { count, isMore: false }
})
