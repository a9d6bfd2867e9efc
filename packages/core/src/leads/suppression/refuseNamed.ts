/** Refusing to write people who must not be contacted, or who were erased. Source: G11, G43. */
import * as Result from "effect/Result"
import { type Failure, fail } from "../../Failure.ts"
import { type Identity, identityKey } from "../identity/Identity.ts"
import { isActive, type SuppressionEntry, type SuppressionMatch } from "./Suppression.ts"

/** What a write is about. */
export interface NamedWrite {
  /** What names the given identifiers. */
  readonly matches: ReadonlyArray<SuppressionMatch>
  /** What names the lead that is written. */
  readonly ofLead: ReadonlyArray<SuppressionEntry>
  /** The lead that is written, and those that go up in it. */
  readonly leadIds: ReadonlyArray<string>
  /** Identifiers that nobody held before. */
  readonly added: ReadonlyArray<Identity>
  readonly isImport: boolean
  readonly at: string
}

const until = (entry: SuppressionEntry): string => (entry.until === null ? "" : ` until ${entry.until}`)

const refusal = ({ entry, kind }: SuppressionMatch): Failure => {
  if (entry.kind === "erased") {
    return fail(
      "LEAD_SUPPRESSED",
      `The person with this ${kind} was erased, so nothing is stored of them. With their consent lift it with lead.suppression.lift first.`
    )
  }
  const by = entry.kind === "domain" ? "the domain of the email" : kind
  return fail(
    "LEAD_SUPPRESSED",
    `Nobody with this ${by} may be contacted${until(entry)}. Leave them alone, or lift it with lead.suppression.lift and a reason.`
  )
}

/**
 * Fails with LEAD_SUPPRESSED where a write would bring in a suppressed identifier, but for one that its own lead was
 * suppressed by. An import writes nothing at all of a lead that is suppressed in any way.
 */
export const refuseNamed = ({
  added,
  at,
  isImport,
  leadIds,
  matches,
  ofLead
}: NamedWrite): Result.Result<void, Failure> => {
  if (matches.length === 0 && ofLead.length === 0) return Result.succeed(undefined)
  const active = matches.filter(({ entry }) => isActive(entry, at))
  const news = new Set(added.map(identityKey))
  const isOwn = ({ leadId }: SuppressionEntry) => leadId !== null && leadIds.includes(leadId)
  const refused = active.find(({ entry, kind, value }) => news.has(`${kind}:${value}`) && !isOwn(entry))
  if (refused !== undefined) return Result.fail(refusal(refused))
  return isImport && ofLead.some((entry) => isActive(entry, at))
    ? Result.fail(fail("LEAD_SUPPRESSED"))
    : Result.succeed(undefined)
}
