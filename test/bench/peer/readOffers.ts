/** A page of offers of the peer, newest first. */
import { createHmac, timingSafeEqual } from "node:crypto"
import type { Query } from "./database.ts"
import { Failure } from "./Failure.ts"
import type { Actor } from "./keys.ts"

interface OfferRow {
  readonly organization_id: string
  readonly id: string
  readonly name: string
  readonly one_liner: string
  readonly value_proposition: string
  readonly description: string | null
  readonly landing_page_url: string | null
  readonly sales_brief_url: string | null
  readonly is_draft: boolean
  readonly last_used_at: string | null
  readonly parts: object
  readonly created_at: string
  readonly updated_at: string
}

const columns = `organization_id, id, name, one_liner, value_proposition, description, landing_page_url, sales_brief_url,
  is_draft, last_used_at, parts, created_at, updated_at`

/** The first page. */
export const firstOffers = {
  name: "first_offers",
  text: `select ${columns} from offers where organization_id = $1 order by created_at desc, id desc limit $2`
}

const nextOffers = {
  name: "next_offers",
  text: `select ${columns} from offers where organization_id = $1 and (created_at, id) < ($3::timestamptz, $4::text)
    order by created_at desc, id desc limit $2`
}

const secret = "the peer has one process, so its secret may be here"

const signature = (organizationId: string, body: string): Buffer =>
  createHmac("sha256", secret).update(`${organizationId}\n${body}`).digest()

const writeCursor = (organizationId: string, { created_at, id }: OfferRow): string => {
  const body = Buffer.from(JSON.stringify([created_at, id])).toString("base64url")
  return `${body}.${signature(organizationId, body).toString("base64url")}`
}

const readCursor = (organizationId: string, cursor: string): ReadonlyArray<string> => {
  const [body = "", mark = ""] = cursor.split(".")
  const [expected, given] = [signature(organizationId, body), Buffer.from(mark, "base64url")]
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new Failure(400, "INVALID_CURSOR", "cursor: send the nextCursor of the page before, or none.")
  return JSON.parse(Buffer.from(body, "base64url").toString())
}

/** A page of at most `limit` offers after a cursor. Fails with 400. */
export const readOffers = async (query: Query, { organizationId }: Actor, limit: number, cursor?: string) => {
  const rows = await (cursor === undefined
    ? query<OfferRow>(firstOffers, [organizationId, limit + 1])
    : query<OfferRow>(nextOffers, [organizationId, limit + 1, ...readCursor(organizationId, cursor)]))
  const page = rows.slice(0, limit)
  const last = page[page.length - 1]
  const offers = page.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    oneLiner: row.one_liner,
    valueProposition: row.value_proposition,
    description: row.description,
    landingPageUrl: row.landing_page_url,
    salesBriefUrl: row.sales_brief_url,
    isDraft: row.is_draft,
    lastUsedAt: row.last_used_at,
    ...row.parts,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  }))
  const nextCursor = rows.length > limit && last !== undefined ? writeCursor(organizationId, last) : null
  return { data: { offers, nextCursor } }
}
