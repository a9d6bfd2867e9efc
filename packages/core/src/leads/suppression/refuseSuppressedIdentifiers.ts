/** Refusing to store people who are suppressed or were erased. */
import * as Result from "effect/Result"

import { LeadSuppressed } from "../failures.ts"
import { type Identity, identityKey } from "../identity/Identity.ts"
import { isActive, type SuppressionEntry, type SuppressionMatch } from "./Suppression.ts"

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
  const by = entry.kind === "domain" ? "the domain of the email" : kind
  return new LeadSuppressed({
    message:
      `Nobody with this ${by} may be contacted${until(entry)}. If that has changed, lift the suppression with ` +
      "lead.suppression.lift and a reason."
  })
}

/**
 * Fails with LEAD_SUPPRESSED when a write adds a suppressed identifier, unless it was suppressed with this lead. An import
 * never writes a suppressed lead.
 */
export const refuseSuppressedIdentifiers = ({
  added,
  at,
  isImport,
  leadIds,
  matches,
  ofLead
}: NamedWrite): Result.Result<void, LeadSuppressed> => {
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
