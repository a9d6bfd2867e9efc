/** Offers in PostgreSQL. */

import type { OrganizationId } from "@svc/core"
import { StoredJson } from "@svc/core/internal"
import { type Offer, OffersRepo, type OfferUser } from "@svc/core/offers"
import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"
import { after } from "../columns.ts"
import { touchLastUsed } from "../lastUsed.ts"
import { first, hasRows, newestFirst, page, repository } from "../results.ts"
import { sameRead } from "../SharedRead.ts"
import { orUnavailable } from "../SqlFailure.ts"

interface OfferRow {
  readonly id: string
  readonly document: Uint8Array
  readonly last_used_at: Date | null
  readonly created_at: Date
}

const columns = "id, convert_to(document::text, 'UTF8') as document, last_used_at, created_at"

/** The offer as it is shown: its document, and when it was last used. */
const storedOf = ({ document, last_used_at }: OfferRow): StoredJson<Offer> =>
  new StoredJson(document, { lastUsedAt: last_used_at?.toISOString() ?? null })

const offerOf = (row: OfferRow): Offer => storedOf(row).value

const documentOf = ({ lastUsedAt: _, ...document }: Offer): string => JSON.stringify(document)

const searchTextOf = ({ name, oneLiner }: Offer): string => `${name}\n${oneLiner}`.toLowerCase()

/** Keeps offers in the database. */
export const layer = repository(OffersRepo, (sql) => {
  const find = (lock: Fragment) => (organizationId: OrganizationId, id: string) =>
    sql<OfferRow>`
      select ${sql.literal(columns)} from svc.offers where organization_id = ${organizationId} and id = ${id} ${lock}
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
            updated_at = greatest(${at}::timestamptz, ${sql.literal(after("updated_at"))})
          where organization_id = ${organizationId} and offer_id = ${id}
        )
        delete from svc.offers where organization_id = ${organizationId} and id = ${id}
      `.pipe(orUnavailable, Effect.asVoid),
    insert: (offer) =>
      sql<OfferRow>`
        with inserted as (
          insert into svc.offers (organization_id, id, name, one_liner, is_draft, last_used_at, search_text, document,
            created_at, updated_at)
          values (${offer.organizationId}, ${offer.id}, ${offer.name}, ${offer.oneLiner}, ${offer.isDraft},
            ${offer.lastUsedAt}::timestamptz, ${searchTextOf(offer)}, ${documentOf(offer)}::json, ${offer.createdAt}::timestamptz,
            ${offer.updatedAt}::timestamptz)
          on conflict (organization_id, id) do update set id = excluded.id
            where offers.organization_id = excluded.organization_id
          returning *, (xmax = 0) as is_new
        )
        select ${sql.literal(columns)} from inserted where not is_new
      `.pipe(first(offerOf)),
    replace: (offer, seenUpdatedAt) =>
      sql`
        update svc.offers set name = ${offer.name}, one_liner = ${offer.oneLiner}, is_draft = ${offer.isDraft},
          search_text = ${searchTextOf(offer)}, document = ${documentOf(offer)}::json, updated_at = ${offer.updatedAt}::timestamptz
        where organization_id = ${offer.organizationId} and id = ${offer.id}
          and updated_at = ${seenUpdatedAt}::timestamptz
        returning id
      `.pipe(hasRows),
    touch: (organizationId, id, at) => touchLastUsed(sql, "offers", organizationId, id, at),
    list: sameRead(sql, (organizationId, filter, request) =>
      sql<OfferRow>`
        select ${sql.literal(columns)} from svc.offers
        where organization_id = ${organizationId}
          and (${filter.isDraft ?? null}::boolean is null or is_draft = ${filter.isDraft ?? null}::boolean)
          and (${filter.query?.toLowerCase() ?? null}::text is null
            or strpos(search_text, ${filter.query?.toLowerCase() ?? null}::text) > 0)
          and ${newestFirst(sql, request)}
      `.pipe(
        page(
          (row) => row,
          request.limit,
          ({ created_at, id }) => [created_at.toISOString(), id]
        ),
        Effect.map(({ items, next }) => ({ items: items.map(storedOf), next }))
      )
    )
  })
})
