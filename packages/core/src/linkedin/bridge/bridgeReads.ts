/** A bridge's people, messages and relations in the words of the port. Source: `README.md` beside this file. */
import { type Identity, sortIdentities } from "../../leads/identity/Identity.ts"
import { memberIdentity, normalizeMemberId, readToken } from "../../leads/identity/MemberToken.ts"
import { normalizeSlug, profileUrl } from "../../leads/identity/profileSlug.ts"
import { isoFromMillis } from "../../Time.ts"
import type { FoundPerson } from "../LinkedInGateway.ts"
import type { MessageRow, NamedRow, PersonRow, RelationRow } from "./BridgeAnswers.ts"
import type { ConversationMessage, NamedPerson, NewRelation } from "./GatewayAdditions.ts"
import { storable, webAddress } from "./ProviderText.ts"

const line = (text: string | undefined): string => storable(text ?? "", 500).trim()

const slugOf = (text: string | undefined): string | undefined => (text === undefined ? undefined : normalizeSlug(text))

const memberIdOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : normalizeMemberId(text)

/** The instant as ours; undefined for a text that is none between 2000 and 2200. */
export const bridgeInstant = (text: string | undefined): string | undefined => {
  const millis = text === undefined ? Number.NaN : Date.parse(text.slice(0, 40))
  return millis >= 946_684_800_000 && millis < 7_258_118_400_000 ? isoFromMillis(millis) : undefined
}

/** A person that a bridge names. */
export const namedBy = (row: typeof NamedRow.Type): NamedPerson => {
  const slug = slugOf(row.public_slug)
  const memberId = memberIdOf(row.member_id)
  const token = row.profile_token
  const identities: Array<Identity> = [
    ...(token === undefined ? [] : (readToken(token, "profile_token", { deriveMemberId: false }) ?? [])),
    ...(slug === undefined ? [] : [{ kind: "slug", value: slug, derived: false } as const]),
    ...(memberId === undefined ? [] : [memberIdentity(memberId)])
  ]
  return {
    providerId: row.id,
    identities: sortIdentities(identities),
    fullName: line(row.full_name),
    profileUrl: webAddress(row.profile_url) ?? (slug === undefined ? null : profileUrl(slug)),
    pictureUrl: webAddress(row.picture_url)
  }
}

/** A person of a search; undefined where no token says who. */
export const foundBy = (row: typeof PersonRow.Type): FoundPerson | undefined => {
  if (row.sales_nav_token === undefined && row.profile_token === undefined) return undefined
  const memberId = memberIdOf(row.member_id)
  const publicSlug = slugOf(row.public_slug) ?? null
  return {
    ...(row.profile_token === undefined ? {} : { profileToken: row.profile_token }),
    ...(row.sales_nav_token === undefined ? {} : { salesNavToken: row.sales_nav_token }),
    ...(memberId === undefined ? {} : { memberId }),
    publicSlug,
    firstName: line(row.first_name),
    lastName: line(row.last_name),
    headline: line(row.headline),
    jobTitle: line(row.job_title),
    company: line(row.company),
    location: line(row.location),
    profileUrl: webAddress(row.profile_url) ?? (publicSlug === null ? "" : profileUrl(publicSlug)),
    pictureUrl: webAddress(row.picture_url),
    degree: row.degree ?? null
  }
}

/** A message; undefined where its instant cannot be read. */
export const messageBy = (row: typeof MessageRow.Type): ConversationMessage | undefined => {
  const at = bridgeInstant(row.at)
  if (at === undefined) return undefined
  return {
    messageId: row.message_id,
    externalId: row.external_id ?? null,
    chatId: row.chat_id,
    direction: row.direction,
    sender: row.sender === undefined ? null : namedBy(row.sender),
    text: row.text === undefined ? null : storable(row.text, 50_000),
    at
  }
}

/** A relation. */
export const relationBy = (row: typeof RelationRow.Type): NewRelation => ({
  person: namedBy(row.person),
  connectedAt: bridgeInstant(row.connected_at) ?? null
})
