/** Asking the DNS about the domain of a sender, and keeping what it says. */
import * as Effect from "effect/Effect"
import { now, type OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import { DomainCheck, type DomainFacts } from "./DomainCheck.ts"
import { MailboxesRepo } from "./MailboxesRepo.ts"

const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1).toLowerCase()

/** Asks the DNS about the domain of an address; outside of any transaction, as it takes time. */
export const askDomain = Effect.fnUntraced(function* (address: string) {
  const found = yield* (yield* DomainCheck).check(domainOf(address))
  return { ...found, checked_at: yield* now } satisfies DomainFacts
})

/** Keeps what the DNS said. */
export const keepDomain = (organizationId: OrganizationId, address: string, facts: DomainFacts) =>
  Effect.flatMap(MailboxesRepo, ({ saveDomain }) => saveDomain(organizationId, domainOf(address), facts))
