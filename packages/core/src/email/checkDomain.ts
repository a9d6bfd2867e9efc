/** Asking the DNS about the domain of a sender, and keeping what it says. */
import * as Effect from "effect/Effect"
import { now, type OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import { DomainCheck, type DomainFacts } from "./DomainCheck.ts"
import { MailboxesRepo } from "./MailboxesRepo.ts"

/** Asks the DNS about the domain of an address, and keeps what it says. */
export const checkDomain = Effect.fnUntraced(function* (organizationId: OrganizationId, address: string) {
  const domain = address.slice(address.lastIndexOf("@") + 1).toLowerCase()
  const found = yield* (yield* DomainCheck).check(domain)
  const facts: DomainFacts = { ...found, checked_at: yield* now }
  yield* (yield* MailboxesRepo).saveDomain(organizationId, domain, facts)
  return facts
})
