/** Offers in PostgreSQL. */

import { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId } from "@svc/core"
import { type Offer, OffersRepo, type OfferUser } from "@svc/core/offers"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Fragment } from "effect/sql/Statement"
import { touchLastUsed } from "../lastUsed.ts"
import { first, hasRows, newestFirst, page } from "../results.ts"
import { orUnavailable } from "../SqlFailure.ts"

type Parts = Pick<Offer, "references" | "problemSolutions" | "differentiators" | "resources">

interface OfferRow {
  readonly organization_id: OrganizationId
  readonly id: string
  readonly name: string
  readonly one_liner: string
  readonly value_proposition: string
  readonly description: string | null
  readonly landing_page_url: string | null
  readonly sales_brief_url: string | null
  readonly is_draft: boolean
  readonly last_used_at: Date | null
  readonly parts: Parts
  readonly created_at: Date
  readonly updated_at: Date
}

const offerOf = (row: OfferRow): Offer => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name,
  oneLiner: row.one_liner,
  valueProposition: row.value_proposition,
  description: row.description,
  landingPageUrl: row.landing_page_url,
  salesBriefUrl: row.sales_brief_url,
  isDraft: row.is_draft,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  references: row.parts.references,
  problemSolutions: row.parts.problemSolutions,
  differentiators: row.parts.differentiators,
  resources: row.parts.resources,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString()
})

const partsOf = ({ references, problemSolutions, differentiators, resources }: Offer): string =>
  JSON.stringify({ references, problemSolutions, differentiators, resources })

const searchTextOf = ({ name, oneLiner }: Offer): string => `${name}\n${oneLiner}`.toLowerCase()

/** Keeps offers in the database. */
export const layer: Layer.Layer<OffersRepo, never, PgClient> = Layer.effect(
  OffersRepo,
  Effect.map(PgClient, (sql) => {
    const find = (lock: Fragment) => (organizationId: OrganizationId, id: string) =>
      sql<OfferRow>`
        select * from svc.offers where organization_id = ${organizationId} and id = ${id} ${lock}
      `.pipe(first(offerOf))
    return OffersRepo.of({
      find: find(sql.literal("")),
      hold: find(sql.literal("for key share")),
      holdForDeletion: (organizationId, id) =>
        Effect.gen(function* () {
          const offer = yield* find(sql.literal("for update"))(organizationId, id)
          if (offer === undefined) return undefined
          // A second statement, to see links that were committed while the first one waited for the lock.
          const users = yield* orUnavailable(sql<OfferUser>`
            select id, handle, status = 'ARCHIVED' as "isArchived" from svc.missions
            where organization_id = ${organizationId} and offer_id = ${id}
            order by handle collate "C"
          `)
          return { offer, users }
        }),
      remove: (organizationId, id, at) =>
        sql`
          with unlinked as (
            update svc.missions set offer_id = null,
              updated_at = greatest(${at}::timestamptz, updated_at + interval '1 millisecond')
            where organization_id = ${organizationId} and offer_id = ${id}
          )
          delete from svc.offers where organization_id = ${organizationId} and id = ${id}
        `.pipe(orUnavailable, Effect.asVoid),
      insert: (offer) =>
        sql<OfferRow>`
          with inserted as (
            insert into svc.offers (organization_id, id, name, one_liner, value_proposition, description, landing_page_url,
              sales_brief_url, is_draft, last_used_at, search_text, parts, created_at, updated_at)
            values (${offer.organizationId}, ${offer.id}, ${offer.name}, ${offer.oneLiner}, ${offer.valueProposition},
              ${offer.description}, ${offer.landingPageUrl}, ${offer.salesBriefUrl}, ${offer.isDraft},
              ${offer.lastUsedAt}::timestamptz, ${searchTextOf(offer)}, ${partsOf(offer)}::jsonb, ${offer.createdAt}::timestamptz,
              ${offer.updatedAt}::timestamptz)
            on conflict (organization_id, id) do update set id = excluded.id
              where offers.organization_id = excluded.organization_id
            returning *, (xmax = 0) as is_new
          )
          select * from inserted where not is_new
        `.pipe(first(offerOf)),
      replace: (offer, seenUpdatedAt) =>
        sql`
          update svc.offers set name = ${offer.name}, one_liner = ${offer.oneLiner},
            value_proposition = ${offer.valueProposition}, description = ${offer.description},
            landing_page_url = ${offer.landingPageUrl}, sales_brief_url = ${offer.salesBriefUrl},
            is_draft = ${offer.isDraft}, search_text = ${searchTextOf(offer)}, parts = ${partsOf(offer)}::jsonb, updated_at = ${offer.updatedAt}::timestamptz
          where organization_id = ${offer.organizationId} and id = ${offer.id}
            and updated_at = ${seenUpdatedAt}::timestamptz
          returning id
        `.pipe(hasRows),
      touch: (organizationId, id, at) => touchLastUsed(sql, "offers", organizationId, id, at),
      list: (organizationId, filter, request) =>
        sql<OfferRow>`
          select * from svc.offers
          where organization_id = ${organizationId}
            and (${filter.isDraft ?? null}::boolean is null or is_draft = ${filter.isDraft ?? null}::boolean)
            and (${filter.query?.toLowerCase() ?? null}::text is null
              or strpos(search_text, ${filter.query?.toLowerCase() ?? null}::text) > 0)
            and ${newestFirst(sql, request)}
        `.pipe(page(offerOf, request.limit, (offer) => [offer.createdAt, offer.id]))
    })
  })
)
