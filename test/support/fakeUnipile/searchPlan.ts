/** The fake's people search: up to 2,500 rows that are always the same, cursors that expire, and a page that fails. */
import { type FakeRequest, type Plan, type Premises, refuse } from "./Plan.ts"
import { type FakeAccount, personOf } from "./World.ts"

const rowAt = (place: number) => {
  const person = personOf(`found-${place}-row${place % 3 === 2 ? "-2nd" : ""}`)
  return {
    type: "PEOPLE",
    id: person.salesToken,
    name: `${person.firstName} ${person.lastName}`,
    first_name: person.firstName,
    last_name: person.lastName,
    headline: "Head of Sales at Northwind Foods",
    location: "Berlin, Germany",
    industry: null,
    member_urn: `urn:li:member:${person.memberId}`,
    public_identifier: place % 2 === 0 ? person.slug : null,
    public_profile_url: null,
    profile_url: `https://www.linkedin.com/sales/lead/${person.salesToken},NAME_SEARCH,x`,
    profile_picture_url: null,
    network_distance: `DISTANCE_${person.degree}`,
    pending_invitation: false,
    can_send_inmail: true,
    open_profile: false,
    premium: false,
    current_positions: [
      { company: "Northwind Foods", company_id: "1", role: "Head of Sales", start: { year: 2020, month: 1 } }
    ]
  }
}

const encode = (start: number, page: number, at: number): string =>
  Buffer.from(JSON.stringify([start, page, at])).toString("base64url")

const decode = (cursor: string): readonly [start: number, page: number, at: number] | undefined => {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"))
    if (!Array.isArray(parts)) return undefined
    const [start, page, at] = parts.map(Number)
    return start === undefined || page === undefined || at === undefined ? undefined : [start, page, at]
  } catch {
    return undefined
  }
}

const paths = ["/search/results/people/", "/sales/search/people", "/recruiter/search"]

/** A page of a search. */
export const searchPlan = ({ search, world }: Premises, account: FakeAccount, { query, body }: FakeRequest): Plan => {
  const given = query.get("cursor")
  const place = given === null ? ([0, 1, world.now()] as const) : decode(given)
  const limit = Number(query.get("limit") ?? "10")
  const url = typeof body["url"] === "string" && URL.canParse(body["url"]) ? new URL(body["url"]) : undefined
  const path = paths.find((one) => url?.pathname.startsWith(one) === true)
  const most = path === paths[0] ? 50 : 100
  const plan = { action: "search" as const, perform: () => ({}) }
  if (path === undefined) return { ...plan, refusal: refuse(400, "invalid_url") }
  if (path === paths[1] && !account.features.includes("sales_navigator")) {
    return { ...plan, refusal: refuse(403, "feature_not_subscribed") }
  }
  if (!(limit >= 0 && limit <= most)) return { ...plan, refusal: refuse(400, "invalid_parameters") }
  if (place === undefined || world.now() > place[2] + search.cursorLife) {
    return { ...plan, refusal: refuse(400, "invalid_parameters", "Cursor expired") }
  }
  const [start, page] = place
  if (page === search.failAtPage && search.failures > 0) {
    search.failures -= 1
    return { ...plan, refusal: refuse(500, "provider_error") }
  }
  const end = Math.min(start + limit, search.total)
  return {
    action: "search",
    perform: () => ({
      object: "LinkedinSearch",
      items: Array.from({ length: Math.max(0, end - start) }, (_, i) => rowAt(start + i)),
      config: { params: body },
      paging: { start, page_count: end - start, total_count: search.total },
      cursor: end < search.total ? encode(end, page + 1, world.now()) : null
    })
  }
}
