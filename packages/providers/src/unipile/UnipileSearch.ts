/** People searches by the URL of the search. */

import { profileUrl, tokenKindOf } from "@svc/core/leads"
import type { ProviderFailure } from "@svc/core/outreach"
import {
  type FoundPerson,
  GatewayError,
  httpUrlOrNull,
  type LinkedInAccount,
  type PeoplePage,
  ProviderId,
  rowsOf,
  soft,
  storable
} from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { asFailure } from "./FailedRead.ts"
import type { UnipileClient } from "./UnipileClient.ts"
import { degreeOf, memberIdOfUrn, slugOf } from "./UnipileProfile.ts"

const Position = Schema.Struct({
  role: soft(Schema.String),
  company: soft(Schema.String)
})
const Person = Schema.Struct({
  id: ProviderId,
  name: soft(Schema.String),
  first_name: soft(Schema.String),
  last_name: soft(Schema.String),
  headline: soft(Schema.String),
  location: soft(Schema.String),
  member_urn: soft(Schema.String),
  public_identifier: soft(Schema.String),
  public_profile_url: soft(Schema.String),
  profile_url: soft(Schema.String),
  profile_picture_url: soft(Schema.String),
  network_distance: soft(Schema.String),
  current_positions: soft(Schema.Array(Schema.Unknown))
})
const SearchResponse = Schema.Struct({
  items: Schema.Array(Schema.Unknown),
  cursor: Schema.optionalKey(Schema.NullOr(Schema.String)),
  paging: soft(Schema.Struct({ total_count: Schema.Number }))
})
const decodePage = Schema.decodeUnknownOption(SearchResponse)

/** The Sales Navigator token in a URL such as `https://www.linkedin.com/sales/lead/ACwAA…,NAME_SEARCH,x`. */
const salesTokenIn = (url: string | undefined): string | undefined => {
  const tail = url?.slice(0, 2_000).split("/sales/lead/").at(1) ?? ""
  const token = tail.slice(0, 39)
  return tokenKindOf(token) === "sales_nav_token" ? token : undefined
}

const line = (text: string | undefined): string => storable(text ?? "", 500).trim()

/** First and last name; split at the last space of the full name when they are missing. */
const namesOf = ({ first_name, last_name, name }: typeof Person.Type): readonly [first: string, last: string] => {
  if (first_name !== undefined || last_name !== undefined) return [line(first_name), line(last_name)]
  const whole = line(name)
  const cut = whole.lastIndexOf(" ")
  return cut < 0 ? [whole, ""] : [whole.slice(0, cut).trim(), whole.slice(cut + 1)]
}

/** The person of a row; undefined without a Sales Navigator token or a profile token. */
const foundPerson = (row: typeof Person.Type): FoundPerson | undefined => {
  const salesNavToken = tokenKindOf(row.id) === "sales_nav_token" ? row.id : salesTokenIn(row.profile_url)
  const profileToken = tokenKindOf(row.id) === "profile_token" ? row.id : undefined
  if (salesNavToken === undefined && profileToken === undefined) return undefined
  const memberId = memberIdOfUrn(row.member_urn)
  const publicSlug = slugOf(row.public_identifier) ?? null
  const position = rowsOf(Position, row.current_positions ?? [])[0]
  const [firstName, lastName] = namesOf(row)
  return {
    ...(profileToken === undefined ? {} : { profileToken }),
    ...(salesNavToken === undefined ? {} : { salesNavToken }),
    ...(memberId === undefined ? {} : { memberId }),
    publicSlug,
    firstName,
    lastName,
    headline: line(row.headline),
    jobTitle: line(position?.role),
    company: line(position?.company),
    location: line(row.location),
    profileUrl:
      httpUrlOrNull(row.public_profile_url) ??
      (publicSlug === null ? (httpUrlOrNull(row.profile_url) ?? "") : profileUrl(publicSlug)),
    pictureUrl: httpUrlOrNull(row.profile_picture_url),
    degree: degreeOf(row.network_distance) ?? null
  }
}

const maxPageSize = 100

/** One page of a people search. Rows without a token are left out, and their number is logged. */
export const searchPeople = (
  client: UnipileClient,
  account: LinkedInAccount,
  { url, cursor, limit }: { readonly url: string; readonly cursor: string | null; readonly limit: number }
): Effect.Effect<PeoplePage, ProviderFailure> =>
  Effect.gen(function* () {
    const result = yield* client.read(
      {
        method: "POST",
        path: ["linkedin", "search"],
        query: {
          account_id: account.gatewayAccountId,
          limit: Math.max(1, Math.min(limit, maxPageSize)),
          cursor: cursor ?? undefined
        },
        body: { _tag: "Json", text: JSON.stringify({ url }) }
      },
      "search"
    )
    if (result._tag !== "Found") return yield* asFailure(result)
    const page = Option.getOrUndefined(decodePage(result.body))
    if (page === undefined || (page.cursor ?? "").length > 8_000) {
      return yield* new GatewayError({ message: "The provider sent an unexpected response. Try again later." })
    }
    const people = rowsOf(Person, page.items).flatMap((row) => foundPerson(row) ?? [])
    const skipped = page.items.length - people.length
    if (skipped > 0) yield* Effect.logWarning(`Skipped ${skipped} search results without a person's token.`)
    const total = page.paging?.total_count ?? 0
    const next = page.cursor === undefined || page.cursor === "" ? null : page.cursor
    return { people, next, total: Number.isSafeInteger(total) && total >= 0 ? total : 0 }
  })
