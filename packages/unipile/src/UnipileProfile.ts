/**
 * Looking up a person, and the conversation with one.
 *
 * Source: mission research 5.2 (profile, find a chat); issue 4: prefer the profile token, else resolve the public id.
 */
import type { Identity } from "@svc/core/leads/identity/Identity"
import type { ResolvedProfile } from "@svc/core/linkedin/bridge/GatewayAdditions"
import { ProviderId, rowsOf, soft, storable } from "@svc/core/linkedin/bridge/ProviderText"
import type { LinkedInAccount } from "@svc/core/linkedin/LinkedInAccount"
import type { Refused } from "@svc/core/linkedin/LinkedInGateway"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Missed } from "./readFailure.ts"
import type { UnipileClient } from "./UnipileClient.ts"
import { isSamePerson, namedPerson } from "./UnipilePerson.ts"

const UserProfile = Schema.Struct({
  provider_id: ProviderId,
  public_identifier: soft(Schema.String),
  first_name: soft(Schema.String),
  last_name: soft(Schema.String),
  headline: soft(Schema.String),
  member_urn: soft(Schema.String),
  public_profile_url: soft(Schema.String),
  profile_picture_url: soft(Schema.String),
  network_distance: soft(Schema.String),
  is_relationship: soft(Schema.Boolean),
  invitation: soft(Schema.Struct({ type: Schema.String, status: Schema.String }))
})
const decodeProfile = Schema.decodeUnknownOption(UserProfile)

const degrees: ReadonlyMap<string, 1 | 2 | 3 | null> = new Map([
  ["FIRST_DEGREE", 1],
  ["SECOND_DEGREE", 2],
  ["THIRD_DEGREE", 3],
  ["DISTANCE_1", 1],
  ["DISTANCE_2", 2],
  ["DISTANCE_3", 3],
  ["OUT_OF_NETWORK", null]
])

/** The degree that a distance names; undefined for one that is not known. */
export const degreeOf = (distance: string | undefined): 1 | 2 | 3 | null | undefined =>
  distance === undefined ? undefined : degrees.get(distance)

const resolved = (profile: typeof UserProfile.Type): ResolvedProfile => {
  const degree = degreeOf(profile.network_distance)
  const { invitation } = profile
  const isPending = invitation?.status === "PENDING"
  return {
    ...namedPerson({
      providerId: profile.provider_id,
      slug: profile.public_identifier,
      memberUrn: profile.member_urn,
      fullName: `${profile.first_name ?? ""} ${profile.last_name ?? ""}`,
      url: profile.public_profile_url,
      picture: profile.profile_picture_url
    }),
    headline: storable(profile.headline ?? "", 500),
    degree: degree ?? null,
    connected: profile.is_relationship ?? (degree === undefined ? undefined : degree === 1),
    invitation: !isPending ? "none" : invitation.type === "SENT" ? "pending" : "received"
  }
}

/** By which of the identities the provider can look a person up, best first. */
const lookups = (account: LinkedInAccount, identities: ReadonlyArray<Identity>) => {
  const of = (kind: Identity["kind"]) => identities.filter((identity) => identity.kind === kind)
  const sales = account.features.includes("sales_navigator") ? of("sales_nav_token") : []
  return [
    ...of("profile_token").map(({ value }) => ({ id: value, token: value, api: undefined })),
    ...of("slug").map(({ value }) => ({ id: value, token: undefined, api: undefined })),
    ...sales.map(({ value }) => ({ id: value, token: value, api: "sales_navigator" }))
  ].slice(0, 5)
}

/** A person who was found. */
export interface ProfileFound {
  readonly _tag: "Profile"
  readonly profile: ResolvedProfile
}

const nobody = (providerCode: string): Refused => ({
  _tag: "Refused",
  kind: "unreachable",
  providerCode,
  retryAfterSeconds: null
})

/** Looks a person up. An identity that the provider does not know leads to the next one. */
export const readProfile = (
  client: UnipileClient,
  account: LinkedInAccount,
  identities: ReadonlyArray<Identity>
): Effect.Effect<ProfileFound | Missed> =>
  Effect.gen(function* () {
    let last: Missed = nobody("svc/no_linkedin_identity")
    for (const { id, token, api } of lookups(account, identities)) {
      const end = yield* client.read({
        method: "GET",
        path: ["users", id],
        query: { account_id: account.gatewayAccountId, linkedin_api: api }
      })
      if (end._tag === "Found") {
        const profile = Option.getOrUndefined(decodeProfile(end.body))
        // A message to somebody else cannot be taken back, so an answer about another person counts as none.
        if (profile === undefined || (token !== undefined && !isSamePerson(token, profile.provider_id))) {
          return { _tag: "Broken", detail: "The provider did not answer the profile that was asked for." }
        }
        return { _tag: "Profile", profile: resolved(profile) }
      }
      last = end
      if (end._tag !== "Refused" || end.kind !== "unreachable") return end
    }
    return last
  })

const Chat = Schema.Struct({
  id: ProviderId,
  account_id: soft(Schema.String),
  attendee_provider_id: Schema.String,
  type: soft(Schema.Number),
  timestamp: soft(Schema.String),
  read_only: soft(Schema.Number),
  content_type: soft(Schema.String)
})
const Items = Schema.Struct({ items: Schema.Array(Schema.Unknown) })
const decodeItems = Schema.decodeUnknownOption(Items)

/** A search for a conversation that ended well; null when there is none to write to. */
export interface ChatFound {
  readonly _tag: "Chat"
  readonly chatId: string | null
}

/** The newest conversation between the account and one person alone, in which can be written. */
export const readChat = (
  client: UnipileClient,
  account: LinkedInAccount,
  providerId: string
): Effect.Effect<ChatFound | Missed> =>
  Effect.map(
    client.read({
      method: "GET",
      path: ["chat_attendees", providerId, "chats"],
      query: { account_id: account.gatewayAccountId }
    }),
    (end): ChatFound | Missed => {
      // The provider knows no attendee with whom nothing was ever written.
      if (end._tag === "Refused" && end.kind === "unreachable") return { _tag: "Chat", chatId: null }
      if (end._tag !== "Found") return end
      const list = Option.getOrUndefined(decodeItems(end.body))
      if (list === undefined) return { _tag: "Broken", detail: "The provider did not answer a list of conversations." }
      const open = rowsOf(Chat, list.items).filter(
        (chat) =>
          isSamePerson(providerId, chat.attendee_provider_id) &&
          (chat.account_id ?? account.gatewayAccountId) === account.gatewayAccountId &&
          (chat.type ?? 0) === 0 &&
          (chat.read_only ?? 0) === 0 &&
          chat.content_type === undefined
      )
      const newest = open.toSorted((a, b) => ((b.timestamp ?? "") > (a.timestamp ?? "") ? 1 : -1))[0]
      return { _tag: "Chat", chatId: newest?.id ?? null }
    }
  )
