/** A bridge's people, messages and relations as the provider port has them. */

import { normalizeMemberId, normalizeSlug, profileUrl } from "@svc/core/leads"
import {
  type ConversationMessage,
  type FoundPerson,
  httpUrlOrNull,
  type NamedPerson,
  type NewRelation,
  namedPerson,
  providerInstant,
  storable
} from "@svc/core/outreach"
import type { MessageRow, NamedRow, PersonRow, RelationRow } from "./BridgeResponses.ts"

const line = (text: string | undefined): string => storable(text ?? "", 500).trim()

const slugOf = (text: string | undefined): string | undefined => (text === undefined ? undefined : normalizeSlug(text))

const memberIdOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : normalizeMemberId(text)

/** A person of a bridge. */
export const personOf = (row: typeof NamedRow.Type): NamedPerson =>
  namedPerson({
    providerId: row.id,
    profileToken: row.profile_token,
    slug: slugOf(row.public_slug),
    memberId: memberIdOf(row.member_id),
    fullName: row.full_name,
    profileUrl: row.profile_url,
    pictureUrl: row.picture_url
  })

/** A person found by a search; undefined without a token. */
export const foundPerson = (row: typeof PersonRow.Type): FoundPerson | undefined => {
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
    profileUrl: httpUrlOrNull(row.profile_url) ?? (publicSlug === null ? "" : profileUrl(publicSlug)),
    pictureUrl: httpUrlOrNull(row.picture_url),
    degree: row.degree ?? null
  }
}

/** A message; undefined without a readable instant. */
export const messageOf = (row: typeof MessageRow.Type): ConversationMessage | undefined => {
  const at = providerInstant(row.at)
  if (at === undefined) return undefined
  return {
    messageId: row.message_id,
    externalId: row.external_id ?? null,
    chatId: row.chat_id,
    direction: row.direction,
    sender: row.sender === undefined ? null : personOf(row.sender),
    text: row.text === undefined ? null : storable(row.text, 50_000),
    at
  }
}

/** A relation. */
export const relationOf = (row: typeof RelationRow.Type): NewRelation => ({
  person: personOf(row.person),
  connectedAt: providerInstant(row.connected_at) ?? null
})
