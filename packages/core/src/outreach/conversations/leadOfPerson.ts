/** Which lead a person is, as a provider names people. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Actor } from "../../kernel/command/Actor.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import { IdentityOptions } from "../../leads/IdentityOptions.ts"
import { type Identity, identityKey, sortIdentities } from "../../leads/identity/Identity.ts"
import { parseLinkedInProfile } from "../../leads/identity/LinkedInProfile.ts"
import { readToken, type TokenOptions } from "../../leads/identity/MemberToken.ts"
import { LeadsRepo, type StoredLead } from "../../leads/LeadsRepo.ts"
import type { NamedPerson } from "../provider/ProviderReads.ts"

/** Everything by which the person may be known here, strongest first. */
const identitiesOf = (person: NamedPerson, options: TokenOptions): ReadonlyArray<Identity> => {
  const profile = person.profileUrl === null ? undefined : parseLinkedInProfile(person.profileUrl, options)
  return sortIdentities([
    ...person.identities,
    ...(readToken(person.providerId, "profile_token", options) ?? []),
    ...(profile !== undefined && Result.isSuccess(profile) ? profile.success.identities : [])
  ])
}

/**
 * The lead that holds the strongest of the person's identifiers, held until the transaction ends; undefined when nobody
 * is known by any of them.
 */
export const leadOfPerson = Effect.fnUntraced(function* (
  person: NamedPerson
): Effect.fn.Return<StoredLead | undefined, StoreFailure, Actor | LeadsRepo> {
  const { organizationId } = yield* Actor
  const identities = identitiesOf(person, yield* IdentityOptions)
  if (identities.length === 0) return undefined
  const { leads } = yield* (yield* LeadsRepo).resolve(organizationId, { identities })
  for (const key of identities.map(identityKey)) {
    const lead = leads.find((one) => one.identities.some((identity) => identityKey(identity) === key))
    if (lead !== undefined) return lead
  }
  return undefined
})
