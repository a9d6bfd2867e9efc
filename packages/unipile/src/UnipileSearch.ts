/**
 * People searches by the address of the search.
 *
 * Source: mission research 5.2, search; G15 for tokens.
 */
import type { Failure } from "@svc/core/Failure"
import { fail } from "@svc/core/Failure"
import { tokenKindOf } from "@svc/core/leads/identity/MemberToken"
import { profileUrl } from "@svc/core/leads/identity/profileSlug"
import { ProviderId, rowsOf, soft, storable, webAddress } from "@svc/core/linkedin/bridge/ProviderText"
import type { LinkedInAccount } from "@svc/core/linkedin/LinkedInAccount"
import type { FoundPerson, PeoplePage } from "@svc/core/linkedin/LinkedInGateway"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { asFailure } from "./readFailure.ts"
import type { UnipileClient } from "./UnipileClient.ts"
import { memberIdOfUrn, slugOf } from "./UnipilePerson.ts"
import { degreeOf } from "./UnipileProfile.ts"

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
const SearchAnswer = Schema.Struct({
  items: Schema.Array(Schema.Unknown),
  cursor: Schema.optionalKey(Schema.NullOr(Schema.String)),
  paging: soft(Schema.Struct({ total_count: Schema.Number }))
})
const decodeAnswer = Schema.decodeUnknownOption(SearchAnswer)

/** The Sales Navigator token in an address such as `https://www.linkedin.com/sales/lead/ACwAA…,NAME_SEARCH,x`. */
const salesTokenIn = (address: string | undefined): string | undefined => {
  const tail = address?.slice(0, 2_000).split("/sales/lead/").at(1) ?? ""
  const token = tail.slice(0, 39)
  return tokenKindOf(token) === "sales_nav_token" ? token : undefined
}

const line = (text: string | undefined): string => storable(text ?? "", 500).trim()

/** First and last name; from the whole name, split at its last space, where the parts are missing. */
const namesOf = ({ first_name, last_name, name }: typeof Person.Type): readonly [first: string, last: string] => {
  if (first_name !== undefined || last_name !== undefined) return [line(first_name), line(last_name)]
  const whole = line(name)
  const cut = whole.lastIndexOf(" ")
  return cut < 0 ? [whole, ""] : [whole.slice(0, cut).trim(), whole.slice(cut + 1)]
}

/** A row as a found person; undefined where neither Sales Navigator's token nor that of the profile names it. */
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
      webAddress(row.public_profile_url) ??
      (publicSlug === null ? (webAddress(row.profile_url) ?? "") : profileUrl(publicSlug)),
    pictureUrl: webAddress(row.profile_picture_url),
    degree: degreeOf(row.network_distance) ?? null
  }
}

const mostPerPage = 100

/** One page of a people search. Rows that name nobody are left out, and their number is logged. */
export const searchPeople = (
  client: UnipileClient,
  account: LinkedInAccount,
  { url, cursor, limit }: { readonly url: string; readonly cursor: string | null; readonly limit: number }
): Effect.Effect<PeoplePage, Failure> =>
  Effect.gen(function* () {
    const end = yield* client.read(
      {
        method: "POST",
        path: ["linkedin", "search"],
        query: {
          account_id: account.gatewayAccountId,
          limit: Math.max(1, Math.min(limit, mostPerPage)),
          cursor: cursor ?? undefined
        },
        body: { _tag: "Json", text: JSON.stringify({ url }) }
      },
      "search"
    )
    if (end._tag !== "Found") return yield* asFailure(end)
    const answer = Option.getOrUndefined(decodeAnswer(end.body))
    if (answer === undefined || (answer.cursor ?? "").length > 8_000) {
      return yield* fail("GATEWAY_ERROR", "The provider did not answer a page of a search. Try again later.")
    }
    const people = rowsOf(Person, answer.items).flatMap((row) => foundPerson(row) ?? [])
    const lost = answer.items.length - people.length
    if (lost > 0) yield* Effect.logWarning(`The provider's page holds ${lost} rows that name no person.`)
    const total = answer.paging?.total_count ?? 0
    const next = answer.cursor === undefined || answer.cursor === "" ? null : answer.cursor
    return { people, next, total: Number.isSafeInteger(total) && total >= 0 ? total : 0 }
  })
