/** Whether the domain of a sender is set up for sending (SPF, DKIM, DMARC): the port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Instant } from "../kernel/schema/IdsAndTime.ts"

const Verdict = Schema.Literals(["pass", "fail", "missing", "unknown"])

/** What the DNS says of a sending domain. `unknown`: it could not be read in time. */
export const DomainFacts = Schema.Struct({
  spf: Verdict.annotate({ description: "SPF (RFC 7208): whether the domain has one valid record" }),
  dkim: Verdict.annotate({
    description:
      "DKIM (RFC 6376): whether the domain publishes the key that this service signs with; unknown when a relay signs"
  }),
  dmarc: Verdict.annotate({
    description: "DMARC (RFC 7489): whether the domain, or the one above it, has a valid record"
  }),
  problems: Schema.Array(Schema.String).annotate({ description: "What to change, one sentence each" }),
  checked_at: Instant
})

/** See the schema. */
export type DomainFacts = typeof DomainFacts.Type

/** Whether mail of the domain is likely refused: a record is missing or invalid. What is unknown holds nothing back. */
export const isUnauthenticated = ({ dkim, dmarc, spf }: DomainFacts): boolean =>
  [spf, dkim, dmarc].some((verdict) => verdict === "fail" || verdict === "missing")

/** Asks the DNS, within a deadline. Never fails. */
export class DomainCheck extends Context.Service<
  DomainCheck,
  { readonly check: (domain: string) => Effect.Effect<Omit<DomainFacts, "checked_at">> }
>()("@svc/core/email/DomainCheck") {}
