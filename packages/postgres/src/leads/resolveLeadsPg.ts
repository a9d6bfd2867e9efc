/**
 * Finding and locking leads in PostgreSQL, one statement for the references of many runs. Each run gets what its reference
 * means; one whose leads or identifiers another run or transaction holds is told to run alone.
 */
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { LeadId, OrganizationId, StoreFailure } from "@svc/core"
import {
  identityKey,
  type LeadReference,
  type LeadsRepo,
  type Resolution,
  type SuppressionMatch
} from "@svc/core/leads"
import * as Effect from "effect/Effect"
import { texts } from "../columnParameter.ts"
import { alone, readsOnly, shared } from "../SharedTransaction.ts"
import { orUnavailable } from "../SqlFailure.ts"
import { type LeadDocument, storedOf } from "./leadRows.ts"
import { meantLeads } from "./meantLeads.ts"
import { findSuppressions, matchOf } from "./suppressionRows.ts"
import type { Tombstones } from "./Tombstones.ts"

interface Asked {
  readonly organizationId: OrganizationId
  readonly reference: LeadReference
}

/** What `svc_resolve_leads` returns. */
interface Found {
  /** From each lead id that exists to the id of its live lead. */
  readonly live: Readonly<Record<string, LeadId>>
  readonly leads: ReadonlyArray<LeadDocument>
  /** From each mission that exists, as it was asked for. */
  readonly missions: Readonly<Record<string, NonNullable<Resolution["mission"]>>>
  readonly suppressions: ReadonlyArray<SuppressionMatch>
  readonly hasErased: boolean
  /** Identifiers and ids of leads that other transactions hold. */
  readonly busy: ReadonlyArray<string>
}

/** Takes names for one run each. */
const makeClaims = (taken: Iterable<string>) => {
  const names = new Set(taken)
  return (wanted: ReadonlyArray<string>): boolean => {
    if (wanted.some((name) => names.has(name))) return false
    for (const name of wanted) names.add(name)
    return true
  }
}

/** {@link LeadsRepo} `resolve`. */
export const resolver = (
  sql: PgClient,
  hashesOf: Tombstones["Service"]["hashesOf"]
): LeadsRepo["Service"]["resolve"] => {
  const find = (organizationId: OrganizationId, references: ReadonlyArray<LeadReference>, waits: boolean) => {
    const identities = references.flatMap((reference) => reference.identities)
    const leadIds = references.flatMap(({ leadId }) => leadId ?? [])
    const missions = [...new Set(references.flatMap(({ mission }) => mission ?? []))]
    return sql<{ readonly found: Found }>`
      select svc.svc_resolve_leads(${organizationId}, ${texts(identities.map(({ kind }) => kind))},
        ${texts(identities.map(({ value }) => value))}, ${texts(leadIds)}, ${texts(missions)}, ${waits}) as found
    `.pipe(
      Effect.flatMap(([row]) => {
        if (row === undefined) return Effect.die("a function returns one row")
        const { found } = row
        if (!found.hasErased) return Effect.succeed({ ...found, suppressions: found.suppressions.map(matchOf) })
        // Hashes take time, so they are only made where somebody was erased.
        const all = findSuppressions(sql, organizationId, identities, hashesOf(organizationId, identities))
        return Effect.map(all, (suppressions) => ({ ...found, suppressions }))
      }),
      orUnavailable
    )
  }

  const resolveMany = (
    asked: ReadonlyArray<Asked>,
    isShared: boolean
  ): Effect.Effect<ReadonlyArray<Resolution | typeof alone>, StoreFailure> => {
    const organizationId = asked[0]?.organizationId
    if (organizationId === undefined || asked.some((one) => one.organizationId !== organizationId)) {
      return Effect.die("a transaction is of one organization")
    }
    const claimReference = makeClaims([])
    const admitted = asked.map(
      ({ reference: { identities, leadId } }) =>
        !isShared || claimReference([...identities.map(identityKey), ...(leadId === undefined ? [] : [leadId])])
    )
    const references = asked.flatMap(({ reference }, index) => (admitted[index] === true ? [reference] : []))
    return Effect.map(find(organizationId, references, !isShared), (found) => {
      const meant = meantLeads(found.live, found.leads.map(storedOf))
      const busy = new Set<string | undefined>(found.busy)
      const claimLeads = makeClaims([])
      return asked.map(({ reference }, index) => {
        if (admitted[index] !== true) return alone
        const { mission } = reference
        const keys = reference.identities.map(identityKey)
        const { leadId, leads } = meant(reference)
        if (
          isShared &&
          ([leadId, ...keys].some((name) => busy.has(name)) || !claimLeads(leads.map(({ row }) => row.id)))
        )
          return alone
        return {
          leadId,
          leads,
          mission: mission === undefined ? undefined : found.missions[mission],
          suppressions:
            found.suppressions.length === 0
              ? []
              : found.suppressions.filter(({ kind, value }) => keys.includes(`${kind}:${value}`))
        }
      })
    })
  }

  const resolve = shared(readsOnly, resolveMany)
  return (organizationId, reference) => resolve({ organizationId, reference })
}
