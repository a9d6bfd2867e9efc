/** Leads in PostgreSQL. */

import { PgClient } from "@effect/sql-pg/PgClient"
import { type LeadId, type OrganizationId, snakeKeys, VersionConflict } from "@svc/core"
import * as Leads from "@svc/core/leads"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { jsonb, texts } from "../columns.ts"
import { searching } from "../PoolLimits.ts"
import { each } from "../results.ts"
import { sharedRead } from "../SharedRead.ts"
import { orUnavailable, retryOnLockTimeout, retryOnUnique, retrySerialization } from "../SqlFailure.ts"
import { DeploymentSecrets, layer as secretsLayer } from "../workspace/DeploymentSecrets.ts"
import { duplicatesPg } from "./DuplicatesPg.ts"
import { keepingLeads } from "./keepLeads.ts"
import { leadHistoryPg } from "./LeadHistoryPg.ts"
import { leadLinksPg } from "./LeadLinksPg.ts"
import * as Rows from "./leadRows.ts"
import * as PrivacyPg from "./PrivacyPg.ts"
import { findSuppressions, matchOf } from "./SuppressionsPg.ts"
import { searchLeadsPg } from "./searchLeadsPg.ts"
import { keepStaleActions } from "./staleActions.ts"
import { type HashesOf, hashesWith } from "./Tombstones.ts"
import { unusedLeadsPg } from "./UnusedLeadsPg.ts"

/** What `svc_resolve_leads` returns. */
interface Resolved {
  readonly live: Readonly<Record<string, LeadId>>
  readonly leads: ReadonlyArray<Rows.LeadDocument>
  readonly missions: Readonly<Record<string, NonNullable<Leads.Resolution["mission"]>>>
  readonly suppressions: ReadonlyArray<Leads.SuppressionMatch>
  readonly hasErased: boolean
  readonly busy: ReadonlyArray<string>
}

/** {@link LeadsRepo} `resolve`. */
const resolver =
  (sql: PgClient, hashesOf: HashesOf): Leads.LeadsRepo["Service"]["resolve"] =>
  (organizationId, { identities, leadIds, missions }, locks = "wait") => {
    const statement = sql<{ readonly found: Resolved }>`
      select svc.svc_resolve_leads(${organizationId}, ${texts(identities.map(({ kind }) => kind))},
        ${texts(identities.map(({ value }) => value))}, ${texts(leadIds)}, ${texts(missions)}, ${locks}) as found
    `
    return Effect.gen(function* () {
      const [row] = yield* locks === "bulk" ? retryOnLockTimeout(statement) : statement
      if (row === undefined) return yield* Effect.die("a function returns one row")
      const { busy, hasErased, leads, live, missions, suppressions } = row.found
      return {
        leads: leads.map(Rows.storedOf),
        leadIds: new Map(Object.entries(live)),
        missions: new Map(Object.entries(missions)),
        // Hashes take time, so they are only made where somebody was erased.
        suppressions: hasErased
          ? yield* findSuppressions(sql, organizationId, identities, hashesOf(organizationId, identities))
          : suppressions.map(matchOf),
        busy: new Set(busy)
      } satisfies Leads.LeadResolution
    }).pipe(orUnavailable)
  }

/** {@link LeadsRepo} `write`. Builds the statement at once, even if the effect runs later. */
const writer =
  (sql: PgClient): Leads.LeadsRepo["Service"]["write"] =>
  ({ created = [], held = [], isBulk = false, links = [], organizationId, released = [], rows, suppressed = [] }) => {
    const change = {
      created: created.map(Rows.parameterOf),
      rows: rows.map(Rows.parameterOf),
      labels: [...created, ...rows].flatMap(Rows.labelParametersOf),
      held: held.map(snakeKeys),
      released: released.map(snakeKeys),
      links: links.map(({ at, ...link }) => ({ ...snakeKeys(link), linked_at: at })),
      suppressed: suppressed.map(snakeKeys)
    }
    const statement = sql`select svc.svc_write_leads(${organizationId}, ${sql.json(change)})`
    return (isBulk ? retryOnLockTimeout(statement) : statement).pipe(
      // Another transaction may have taken a free identifier that was not locked.
      retryOnUnique("lead_identities_pkey"),
      orUnavailable,
      Effect.asVoid
    )
  }

interface Meant<L> {
  readonly leadId: LeadId | undefined
  readonly leads: ReadonlyArray<L>
}

/** `live` maps each lead id that exists to the id of its live lead; `leads` are in the order of their ids. */
const meantLeads = <L extends Leads.StoredLead>(
  live: Readonly<Record<string, LeadId>>,
  leads: ReadonlyArray<L>
): ((reference: Pick<Leads.LeadReference, "identities" | "leadId">) => Meant<L>) => {
  const byId = new Map<string, L>()
  const byKey = new Map<string, L>()
  for (const lead of leads) {
    byId.set(lead.row.id, lead)
    for (const identity of lead.identities) byKey.set(Leads.identityKey(identity), lead)
  }
  return ({ identities, leadId: given }) => {
    const leadId = given !== undefined && Object.hasOwn(live, given) ? live[given] : undefined
    const named = new Set<L | undefined>(identities.map((identity) => byKey.get(Leads.identityKey(identity))))
    if (leadId !== undefined) named.add(byId.get(leadId))
    return { leadId, leads: leads.length === 0 ? leads : leads.filter((lead) => named.has(lead)) }
  }
}

/** What `svc_find_leads` returns. */
interface Found {
  /** From each lead id that exists to the id of its live lead. */
  readonly live: Readonly<Record<string, LeadId>>
  readonly leads: ReadonlyArray<Rows.LeadDocument & { readonly context: Rows.LeadContext }>
}

interface Asked {
  readonly organizationId: OrganizationId
  readonly reference: Leads.LeadReference
}

const leadsLayer: Layer.Layer<Leads.LeadsRepo, never, PgClient | DeploymentSecrets> = Layer.effect(
  Leads.LeadsRepo,
  Effect.gen(function* () {
    const sql = yield* PgClient
    const hashesOf = hashesWith((yield* DeploymentSecrets).tombstone)
    const find = sharedRead(
      sql,
      ({ organizationId }: Asked) => organizationId,
      (asked) => {
        const identities = asked.flatMap(({ reference }) => reference.identities)
        const leadIds = asked.flatMap(({ reference }) => reference.leadId ?? [])
        return Effect.map(
          orUnavailable(sql<{ readonly found: Found }>`
            select svc.svc_find_leads(${asked[0]?.organizationId}, ${texts(identities.map(({ kind }) => kind))},
              ${texts(identities.map(({ value }) => value))}, ${texts(leadIds)}) as found
          `),
          ([row]) => {
            const meant = meantLeads(row?.found.live ?? {}, row?.found.leads.map(Rows.viewOf) ?? [])
            return asked.map(({ reference }) => meant(reference))
          }
        )
      }
    )
    return Leads.LeadsRepo.of({
      ...leadLinksPg(sql),
      ...leadHistoryPg(sql),
      ...duplicatesPg(sql),
      ...unusedLeadsPg(sql),
      resolve: resolver(sql, hashesOf),
      write: writer(sql),
      merge: (organizationId, winnerId, loserIds, at) => {
        const losers = sql`any (${texts(loserIds)})`
        const theirs = sql`lead_id = ${losers}`
        return sql`
          with identities as (
            update svc.lead_identities set lead_id = ${winnerId} where organization_id = ${organizationId} and ${theirs}
          ), linked as (
            insert into svc.lead_missions as k (organization_id, mission_id, lead_id, linked_at)
            select ${organizationId}, mission_id, ${winnerId}, min(linked_at) from svc.lead_missions
            where organization_id = ${organizationId} and ${theirs} group by mission_id
            on conflict (organization_id, mission_id, lead_id) do update
              set linked_at = least(k.linked_at, excluded.linked_at)
              where k.organization_id = excluded.organization_id
          ), unlinked as (
            delete from svc.lead_missions where organization_id = ${organizationId} and ${theirs}
          ), messages as (
            update svc.lead_messages set lead_id = ${winnerId} where organization_id = ${organizationId} and ${theirs}
          ), notes as (
            update svc.lead_notes set lead_id = ${winnerId} where organization_id = ${organizationId} and ${theirs}
          ), tokens as (
            update svc.unsubscribe_tokens set lead_id = ${winnerId} where organization_id = ${organizationId} and ${theirs}
          ), kept as (
            update svc.suppressions set lead_id = ${winnerId} where organization_id = ${organizationId} and ${theirs} and kind <> 'lead'
          ), gone as (
            delete from svc.suppressions where organization_id = ${organizationId} and ${theirs} and kind = 'lead'
            returning reason, until, created_at
          ), adopted as (
            insert into svc.suppressions as s (organization_id, kind, value, lead_id, reason, until, created_at)
            select ${organizationId}, 'lead', ${winnerId}, ${winnerId}, reason, until, created_at
            from gone order by until desc nulls first, created_at limit 1
            on conflict (organization_id, kind, value) do update set reason = excluded.reason, until = excluded.until
              where s.organization_id = excluded.organization_id and s.until is not null
                and (excluded.until is null or excluded.until > s.until)
          ), unlabelled as (
            delete from svc.lead_labels where organization_id = ${organizationId} and ${theirs}
          ), moved as (
            update svc.lead_recency set updated_at = ${at}::timestamptz
            where organization_id = ${organizationId} and ${theirs} and updated_at = any (array(
              select l.updated_at from svc.leads l where l.organization_id = ${organizationId} and l.id = ${losers}))
          )
          update svc.leads set merged_into = ${winnerId},
            updated_at = case when id = ${losers} then ${at}::timestamptz else updated_at end
          where organization_id = ${organizationId} and (id = ${losers} or merged_into = ${losers})
        `.pipe(keepingLeads(sql, organizationId, [winnerId, ...loserIds]), orUnavailable, Effect.asVoid)
      },
      addMessage: (message) =>
        sql<{ readonly id: string; readonly lead_id: LeadId; readonly is_new: boolean }>`
          with added as (
            insert into svc.lead_messages ${sql.insert({ ...snakeKeys(message), mail: jsonb(message.mail ?? null) })}
            on conflict (organization_id, channel, external_id) where external_id is not null do nothing
            returning id, lead_id
          )
          select id, lead_id, true as is_new from added
          union all
          select id, lead_id, false from svc.lead_messages
          where organization_id = ${message.organizationId} and channel = ${message.channel}
            and external_id = ${message.externalId}::text
        `.pipe(
          keepingLeads(sql, message.organizationId, [message.leadId]),
          orUnavailable,
          // No row: another transaction stored it after this statement began.
          Effect.flatMap(([row]) => (row === undefined ? Effect.fail(new VersionConflict()) : Effect.succeed(row))),
          Effect.map(({ id, is_new, lead_id }) => (is_new ? undefined : { id, leadId: lead_id }))
        ),
      find: (organizationId, reference) => find({ organizationId, reference }),
      keepActions: (organizationId, now) =>
        keepStaleActions(sql, organizationId, now).pipe(retrySerialization, orUnavailable),
      followUpFacts: (organizationId, leadIds) =>
        sql<{ readonly lead_id: string; readonly facts: Leads.FollowUpFacts }>`
          select lead_id, facts from svc.svc_follow_up_facts(${organizationId}, ${texts(leadIds)})
        `.pipe(
          orUnavailable,
          Effect.map((rows) => new Map(rows.map(({ facts, lead_id }) => [lead_id, Rows.followUpFactsOf(facts)])))
        ),
      announceFollowUps: (organizationId, now, limit) =>
        sql<{ readonly planned: Leads.PlannedFollowUp & { readonly leadId: LeadId } }>`
          with due as materialized (
            select lead_id from svc.lead_actions
            where organization_id = ${organizationId} and rank = 5 and follow_up is distinct from announced
              and from_at <= ${now}::timestamptz
            order by from_at, lead_id collate "C" limit ${limit} for update skip locked
          ), marked as (
            update svc.lead_actions a set announced = a.follow_up from due d
            where a.organization_id = ${organizationId} and a.lead_id = d.lead_id
            returning a.lead_id, a.follow_up, a.from_at
          )
          select k.follow_up || jsonb_build_object('leadId', k.lead_id, 'steps', m.steps) as planned from marked k
          join svc.missions m on m.organization_id = ${organizationId} and m.id = k.follow_up ->> 'missionId'
          order by k.from_at, k.lead_id collate "C"
        `.pipe(each(({ planned }) => planned)),
      search: (...search) => searching(searchLeadsPg(sql, ...search))
    })
  })
)

/**
 * Keeps leads and everything that belongs to them in the database. Fails with UNAVAILABLE when the database is unreachable, and with
 * WRONG_STATE if the secret of tombstones is encrypted with another deployment key.
 */
export const layer = Layer.mergeAll(leadsLayer, PrivacyPg.layer).pipe(Layer.provide(secretsLayer))
