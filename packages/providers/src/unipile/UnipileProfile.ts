/** Looking up a person and the conversation with them. */

import * as Internal from "@svc/core/internal"
import type { Identity } from "@svc/core/leads"
import type { LinkedInAccount, NamedPerson, Refused, ResolvedProfile } from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type FailedRead, failed } from "../ProviderRead.ts"
import type { UnipileClient } from "./UnipileClient.ts"

// People as the provider names them.
//
// Its id of a person is LinkedIn's profile token (`ACoAA…`); from Sales Navigator also that product's token.

/** What a response says about a person; everything but the id may be missing. */
interface PersonParts {
  readonly providerId: string
  readonly slug?: string | undefined
  readonly memberUrn?: string | undefined
  readonly fullName?: string | undefined
  readonly url?: string | undefined
  readonly picture?: string | undefined
}

/** The decimal id in `urn:li:member:123`, or a bare one; undefined for anything else. */
export const memberIdOfUrn = (urn: string | undefined): string | undefined =>
  urn === undefined ? undefined : Internal.normalizeMemberId(urn.slice(0, 100).split(":").at(-1) ?? "")

/** The normalized slug; undefined when it is missing or a token stands in its place. */
export const slugOf = (text: string | undefined): string | undefined =>
  text === undefined || Internal.memberIdOf(text) !== undefined ? undefined : Internal.normalizeSlug(text)

/** A person with every identity that was given. */
export const personOf = ({ fullName, memberUrn, picture, providerId, slug, url }: PersonParts): NamedPerson =>
  Internal.namedPerson({
    providerId,
    profileToken: providerId,
    slug: slugOf(slug),
    memberId: memberIdOfUrn(memberUrn),
    fullName,
    profileUrl: url,
    pictureUrl: picture
  })

/** Whether two tokens name the same person: they are equal, or hold the same member id. */
export const isSamePerson = (token: string, other: string): boolean => {
  const memberId = Internal.memberIdOf(token)
  return token === other || (memberId !== undefined && memberId === Internal.memberIdOf(other))
}

const UserProfile = Schema.Struct({
  provider_id: Internal.ProviderId,
  ...Internal.softTexts("first_name", "last_name", "headline", "member_urn", "network_distance"),
  ...Internal.softTexts("public_identifier", "public_profile_url", "profile_picture_url"),
  is_relationship: Internal.soft(Schema.Boolean),
  invitation: Internal.soft(Schema.Struct({ type: Schema.String, status: Schema.String }))
})

const degrees: ReadonlyMap<string, 1 | 2 | 3 | null> = new Map([
  ["FIRST_DEGREE", 1],
  ["SECOND_DEGREE", 2],
  ["THIRD_DEGREE", 3],
  ["DISTANCE_1", 1],
  ["DISTANCE_2", 2],
  ["DISTANCE_3", 3],
  ["OUT_OF_NETWORK", null]
])

/** The degree of a network distance; undefined for an unknown one. */
export const degreeOf = (distance: string | undefined): 1 | 2 | 3 | null | undefined =>
  distance === undefined ? undefined : degrees.get(distance)

const resolvedProfile = (profile: typeof UserProfile.Type): ResolvedProfile => {
  const degree = degreeOf(profile.network_distance)
  const { invitation } = profile
  const isPending = invitation?.status === "PENDING"
  return {
    ...personOf({
      providerId: profile.provider_id,
      slug: profile.public_identifier,
      memberUrn: profile.member_urn,
      fullName: `${profile.first_name ?? ""} ${profile.last_name ?? ""}`,
      url: profile.public_profile_url,
      picture: profile.profile_picture_url
    }),
    headline: Internal.storable(profile.headline ?? "", 500),
    degree: degree ?? null,
    connected: profile.is_relationship ?? (degree === undefined ? undefined : degree === 1),
    invitation: !isPending ? "none" : invitation.type === "SENT" ? "pending" : "received"
  }
}

/** The identities by which the provider can look a person up, best first. */
const lookups = (account: LinkedInAccount, identities: ReadonlyArray<Identity>) => {
  const of = (kind: Identity["kind"]) => identities.filter((identity) => identity.kind === kind)
  const sales = account.features.includes("sales_navigator") ? of("sales_nav_token") : []
  return [
    ...of("profile_token").map(({ value }) => ({ id: value, token: value, api: undefined })),
    ...of("slug").map(({ value }) => ({ id: value, token: undefined, api: undefined })),
    ...sales.map(({ value }) => ({ id: value, token: value, api: "sales_navigator" }))
  ].slice(0, 5)
}

const noIdentity: Refused = {
  _tag: "Refused",
  kind: "unreachable",
  providerCode: "svc/no_linkedin_identity",
  retryAfterSeconds: null
}

/** Whether the provider says that it knows nobody, or nothing, of this id. */
export const isUnreachable = (result: FailedRead): boolean => result._tag === "Refused" && result.kind === "unreachable"

/** Looks a person up by one identity after another, until the provider knows one. */
export const readProfile = (client: UnipileClient, account: LinkedInAccount, identities: ReadonlyArray<Identity>) =>
  Effect.gen(function* () {
    let last: FailedRead = noIdentity
    for (const { id, token, api } of lookups(account, identities)) {
      const query = { account_id: account.gatewayAccountId, linkedin_api: api }
      const found = yield* Effect.result(client.read({ method: "GET", path: ["users", id], query }, UserProfile))
      if (Result.isSuccess(found)) {
        // A message to the wrong person cannot be unsent, so the profile of another person is an error.
        return token === undefined || isSamePerson(token, found.success.provider_id)
          ? resolvedProfile(found.success)
          : yield* failed("Broken", "The provider returned another profile than requested.")
      }
      last = found.failure
      if (!isUnreachable(last)) break
    }
    return yield* Effect.fail(last)
  })

/** The provider's id of a person: the known profile token, or the result of a lookup. */
export const providerIdOf = (client: UnipileClient, account: LinkedInAccount, identities: ReadonlyArray<Identity>) => {
  const token = identities.find(({ kind }) => kind === "profile_token")
  return token === undefined
    ? Effect.map(readProfile(client, account, identities), ({ providerId }) => providerId)
    : Effect.succeed(token.value)
}

const Chat = Schema.Struct({
  id: Internal.ProviderId,
  account_id: Internal.soft(Schema.String),
  attendee_provider_id: Schema.String,
  type: Internal.soft(Schema.Number),
  timestamp: Internal.soft(Schema.String),
  read_only: Internal.soft(Schema.Number),
  content_type: Internal.soft(Schema.String)
})

const Items = Schema.Struct({ items: Schema.Array(Schema.Unknown) })

/** The newest one-to-one conversation with a person that can be written to; null if there is none. */
export const readChat = (client: UnipileClient, account: LinkedInAccount, providerId: string) => {
  const account_id = account.gatewayAccountId
  const path = ["chat_attendees", providerId, "chats"]
  return client.read({ method: "GET", path, query: { account_id } }, Items).pipe(
    Effect.map(({ items }) => {
      const open = Internal.rowsOf(Chat, items).filter(
        (chat) =>
          isSamePerson(providerId, chat.attendee_provider_id) &&
          (chat.account_id ?? account_id) === account_id &&
          (chat.type ?? 0) === 0 &&
          (chat.read_only ?? 0) === 0 &&
          chat.content_type === undefined
      )
      return open.toSorted((a, b) => ((b.timestamp ?? "") > (a.timestamp ?? "") ? 1 : -1))[0]?.id ?? null
    }),
    // The provider knows no attendee without a conversation.
    Effect.catchIf(isUnreachable, () => Effect.succeed(null))
  )
}
