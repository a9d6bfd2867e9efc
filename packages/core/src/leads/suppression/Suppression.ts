/**
 * Who must not be contacted: entries by identifier, domain or lead, permanent or until a date.
 *
 * An erased person leaves tombstones, keyed hashes of identifiers, which block in the same way.
 */

import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { NewEvent } from "../../kernel/journal/Event.ts"
import { hmacBase64Url } from "../../kernel/schema/Hash.ts"
import { Instant, type InstantText, type LeadId, type OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import { LeadSuppressed } from "../failures.ts"
import { compareText, type Identity, type IdentityKind, identityKey } from "../identity/Identity.ts"

/** The target of an entry: an identifier, the domain of email addresses, a lead id, or an address that bounces, which blocks e-mails only. */
export type SuppressionKind = IdentityKind | "bounced" | "domain" | "lead"

/** A target. */
export interface Suppressible {
  readonly kind: SuppressionKind
  readonly value: string
}

/** An entry as it applies to a target; kind `erased` is a tombstone. */
export interface SuppressionEntry {
  readonly kind: SuppressionKind | "erased"
  readonly reason: string
  /** When it expires; null for never. */
  readonly until: string | null
  /** The lead it was created for; null when no lead held the identifier. */
  readonly leadId: LeadId | null
  readonly createdAt: InstantText
}

/** A stored entry; at most one per kind and value. */
export interface SuppressionRow extends Suppressible, Omit<SuppressionEntry, "kind"> {
  readonly organizationId: OrganizationId
}

/** The entry of a row. */
export const suppressionEntry = ({ organizationId: _o, value: _v, ...entry }: SuppressionRow): SuppressionEntry => entry

/** A requested target and an entry that matches it. */
export interface SuppressionMatch extends Suppressible {
  readonly entry: SuppressionEntry
}

/** The reason of tombstones. */
export const erasedReason = "The person was erased."

/** The default reason when a lead enters DoNotContact. */
export const statusReason = "status DoNotContact"

/** Whether an entry has not expired at `at`. */
export const isActive = ({ until }: Pick<SuppressionEntry, "until">, at: string): boolean =>
  until === null || until > at

type Dated = Pick<SuppressionEntry, "until" | "createdAt">

/** Orders entries by expiry, permanent and latest first; then oldest first. */
export const longestFirst = (a: Dated, b: Dated): number =>
  Number(a.until !== null) - Number(b.until !== null) ||
  compareText(b.until ?? "", a.until ?? "") ||
  compareText(a.createdAt, b.createdAt)

/** The active entry that expires last; undefined when none is active at `at`. */
export const activeSuppression = (entries: ReadonlyArray<SuppressionEntry>, at: string): SuppressionEntry | undefined =>
  entries.filter((entry) => isActive(entry, at)).toSorted(longestFirst)[0]

/** The entries that suppress a lead: its id and all given identities. */
export const entriesOfLead = (
  lead: { readonly id: string; readonly organizationId: OrganizationId },
  identities: ReadonlyArray<Suppressible>,
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

/** The entries of a lead in DoNotContact, which is suppressed for as long as it has that status. */
export const entriesOfStatus = (
  lead: { readonly id: string; readonly organizationId: OrganizationId; readonly updatedAt: InstantText },
  identities: ReadonlyArray<Suppressible>,
  reason = statusReason
): ReadonlyArray<SuppressionRow> => entriesOfLead(lead, identities, { reason, until: null, createdAt: lead.updatedAt })

/** A domain and its parents, down to two labels: `a.b.example.com`, …, `example.com`. */
const domainsAbove = (domain: string): ReadonlyArray<string> => {
  const labels = domain.split(".")
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."))
}

/** The domains whose entries match a target. */
export const domainsOf = ({ kind, value }: Suppressible): ReadonlyArray<string> => {
  if (kind === "domain") return domainsAbove(value)
  return kind === "email" ? domainsAbove(value.slice(value.lastIndexOf("@") + 1)) : []
}

/** A suppression as callers see it. */
export const Suppression = Schema.Struct({
  lead_id: Schema.NullOr(Schema.String).annotate({ description: "The lead; null if no lead has the identifier" }),
  identifiers: Schema.Array(Schema.Struct({ kind: Schema.String, value: Schema.String })).annotate({
    description: "What is suppressed: kind is an identifier kind, domain or lead (value is the lead's id)"
  }),
  reason: Schema.String,
  until: Schema.NullOr(Instant).annotate({ description: "When it expires; null for never" }),
  created_at: Instant
})

export type Suppression = typeof Suppression.Type

/** Entries that were added together, as one suppression, with the reason and expiry of the longest; undefined of none. */
export const suppressionOf = (rows: ReadonlyArray<SuppressionRow>): Suppression | undefined => {
  const [shown] = rows.toSorted(longestFirst)
  return (
    shown && {
      lead_id: rows.find(({ leadId }) => leadId !== null)?.leadId ?? null,
      identifiers: rows
        .map(({ kind, value }) => ({ kind, value }))
        .toSorted((a, b) => compareText(identityKey(a), identityKey(b))),
      reason: shown.reason,
      until: shown.until,
      created_at: shown.createdAt
    }
  )
}

/**
 * What is kept of an erased identifier: HMAC-SHA-256, base64url, of the organization and the identifier. Useless without
 * the secret, and different in every organization.
 */
export const tombstoneHash = (secret: string, organizationId: OrganizationId, { kind, value }: Suppressible): string =>
  hmacBase64Url(secret, `${organizationId}\n${kind}:${value}`)

/** A lead is suppressed; `until` null means permanently. */
export const leadSuppressed = (leadId: LeadId, until: string | null): NewEvent => ({
  type: "lead.suppressed",
  subject: { type: "lead", id: leadId },
  data: { until }
})

/** The facts about a write. */
interface NamedWrite {
  /** Suppressions of the given identifiers. */
  readonly matches: ReadonlyArray<SuppressionMatch>
  /** Suppressions of the lead. */
  readonly ofLead: ReadonlyArray<SuppressionEntry>
  /** The lead, and the leads merged into it. */
  readonly leadIds: ReadonlyArray<string>
  /** New identifiers. */
  readonly added: ReadonlyArray<Identity>
  readonly isImport: boolean
  readonly at: string
}

const until = (entry: SuppressionEntry): string => (entry.until === null ? "" : ` until ${entry.until}`)

const refusal = ({ entry, kind }: SuppressionMatch): LeadSuppressed => {
  if (entry.kind === "erased") {
    return new LeadSuppressed({
      message:
        `The person with this ${kind} was erased, so nothing about them is stored. With their consent, lift it with ` +
        "lead.suppression.lift first."
    })
  }
  const by = entry.kind === "domain" ? "email domain" : kind
  return new LeadSuppressed({
    message:
      `This ${by} is suppressed${until(entry)}. If that has changed, lift the suppression with ` +
      "lead.suppression.lift and a reason."
  })
}

/**
 * Fails with LEAD_SUPPRESSED when a write adds a suppressed identifier, unless it was suppressed with this lead. An import
 * never writes a suppressed lead.
 */
export const refuseSuppressedIdentifiers = (write: NamedWrite): Result.Result<void, LeadSuppressed> => {
  const { added, at, isImport, leadIds, matches, ofLead } = write
  if (matches.length === 0 && ofLead.length === 0) return Result.succeed(undefined)
  const active = matches.filter(({ entry }) => isActive(entry, at))
  const news = new Set(added.map(identityKey))
  const isOwn = ({ leadId }: SuppressionEntry) => leadId !== null && leadIds.includes(leadId)
  const refused = active.find((match) => news.has(identityKey(match)) && !isOwn(match.entry))
  if (refused !== undefined) return Result.fail(refusal(refused))
  return isImport && ofLead.some((entry) => isActive(entry, at))
    ? Result.fail(new LeadSuppressed())
    : Result.succeed(undefined)
}
