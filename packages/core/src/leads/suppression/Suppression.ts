/**
 * Who must not be contacted: entries by identifier, by domain or by lead, until some instant or for good.
 *
 * What was erased leaves no entry but a tombstone, a keyed hash of an identifier, which blocks in the same way.
 * Source: G11, G43.
 */
import * as Schema from "effect/Schema"
import { Instant } from "../../Time.ts"
import { compareText, type Identity, type IdentityKind } from "../identity/Identity.ts"

/** What an entry names: an identifier, the domain of e-mail addresses, or a lead by its id. */
export type SuppressionKind = IdentityKind | "domain" | "lead"

/** An identifier that entries can name. */
export interface Suppressible {
  readonly kind: SuppressionKind
  readonly value: string
}

/** An entry as it is stored; at most one for a kind and value. Instants are ISO texts. */
export interface SuppressionRow extends Suppressible {
  readonly organizationId: string
  /** The lead that it was made for; null when nobody was known by the identifier. */
  readonly leadId: string | null
  readonly reason: string
  /** When it stops to block; null for never. */
  readonly until: string | null
  readonly createdAt: string
}

/** What an entry says; `erased` is that of a tombstone. */
export interface SuppressionEntry {
  readonly kind: SuppressionKind | "erased"
  readonly reason: string
  readonly until: string | null
  readonly leadId: string | null
  readonly createdAt: string
}

/** An identifier that was asked for, and an entry that names it. */
export interface SuppressionMatch extends Suppressible {
  readonly entry: SuppressionEntry
}

/** What a tombstone says in place of a reason. */
export const erasedReason = "The person was erased."

/** What the entries of a lead say that was set to DoNotContact without a reason. */
export const statusReason = "status DoNotContact"

/** Whether an entry blocks at an instant. */
export const isActive = ({ until }: Pick<SuppressionEntry, "until">, at: string): boolean =>
  until === null || until > at

/** Longest first: what never ends before what ends. Of the same length the older one. */
export const byLength = (
  a: Pick<SuppressionEntry, "until" | "createdAt">,
  b: Pick<SuppressionEntry, "until" | "createdAt">
): number =>
  Number(a.until !== null) - Number(b.until !== null) ||
  compareText(b.until ?? "", a.until ?? "") ||
  compareText(a.createdAt, b.createdAt)

/** Of the entries that block at an instant, the one that blocks longest. */
export const strongest = (entries: ReadonlyArray<SuppressionEntry>, at: string): SuppressionEntry | undefined =>
  entries.filter((entry) => isActive(entry, at)).toSorted(byLength)[0]

/** The entries that keep a lead from being contacted: its id and every identifier it holds. */
export const entriesOfLead = (
  lead: { readonly id: string; readonly organizationId: string },
  identities: ReadonlyArray<Identity>,
  { createdAt, reason, until }: Pick<SuppressionRow, "reason" | "until" | "createdAt">
): ReadonlyArray<SuppressionRow> =>
  [{ kind: "lead" as const, value: lead.id }, ...identities].map(({ kind, value }) => ({
    organizationId: lead.organizationId,
    kind,
    value,
    leadId: lead.id,
    reason,
    until,
    createdAt
  }))

/** The domain of an e-mail address and the domains above it, down to two labels: `a.b.example.com`, …, `example.com`. */
export const domainsAbove = (domain: string): ReadonlyArray<string> => {
  const labels = domain.split(".")
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."))
}

/** The domains whose entries name an identifier. */
export const domainsOf = ({ kind, value }: Suppressible): ReadonlyArray<string> => {
  if (kind === "domain") return domainsAbove(value)
  return kind === "email" ? domainsAbove(value.slice(value.lastIndexOf("@") + 1)) : []
}

/** What is suppressed, and why, as callers see it. */
export const Suppression = Schema.Struct({
  lead_id: Schema.NullOr(Schema.String).annotate({
    description: "The lead that it is about; null when no lead has the identifier"
  }),
  identifiers: Schema.Array(Schema.Struct({ kind: Schema.String, value: Schema.String })).annotate({
    description: "What blocks: kind is an identifier's, domain or lead (value is the lead's id)"
  }),
  reason: Schema.String,
  until: Schema.NullOr(Instant).annotate({ description: "When it stops to block; null for never" }),
  created_at: Instant
})
export type Suppression = typeof Suppression.Type

/** Entries that were made together, as one. Reason and end are those of the one that blocks longest. */
export const suppressionOf = (rows: readonly [SuppressionRow, ...ReadonlyArray<SuppressionRow>]): Suppression => {
  const [first] = rows
  const shown = rows.toSorted(byLength)[0] ?? first
  return {
    lead_id: rows.find(({ leadId }) => leadId !== null)?.leadId ?? null,
    identifiers: rows
      .map(({ kind, value }) => ({ kind, value }))
      .toSorted((a, b) => compareText(`${a.kind}:${a.value}`, `${b.kind}:${b.value}`)),
    reason: shown.reason,
    until: shown.until,
    created_at: shown.createdAt
  }
}
