/**
 * Deciding what an upsert writes to the matched leads. A pure function of what was found; every refusal of the call
 * happens here, before anything is written.
 */

import * as Result from "effect/Result"
import { InvalidInput } from "../kernel/failure/failures.ts"
import { changedAt, type OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import { applyInput, changedFields, clearedIdentities, factsOf, shownWithout, showOthers } from "./applyInput.ts"
import { type IdentityConflict, type LastIdentifier, LeadSuppressed } from "./failures.ts"
import { type Identity, without } from "./identity/Identity.ts"
import type { Reference } from "./identity/IdentityInput.ts"
import { type Conflict, conflictFailure, type MatchDecision, type Merge, type Update } from "./identity/Matching.ts"
import {
  contentOf,
  emptyContent,
  type FieldSource,
  type LeadIdentityRow,
  type LeadRow,
  type LeadUpsertInput
} from "./Lead.ts"
import { type LeadStatus, setManually } from "./LeadStatus.ts"
import type { StoredLead } from "./LeadsRepo.ts"
import { mergeLeads } from "./mergeLeads.ts"
import {
  entriesOfLead,
  refuseSuppressedIdentifiers,
  type SuppressionMatch,
  type SuppressionRow,
  statusReason
} from "./suppression/Suppression.ts"

const capitalized = (words: ReadonlyArray<string>): string =>
  words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ")

/** The words of an identifier, without those containing digits, which sites add to make it unique. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  text.split(/[-._+]/).filter((word) => word !== "" && !/[0-9]/.test(word))

/**
 * `Grace Hopper` for the slug `grace-hopper-1a2b3` or the address `grace.hopper@example.com`; the identifier itself when
 * it has no words. Undefined without slug and email.
 */
export const displayName = (identities: ReadonlyArray<Identity>): string | undefined => {
  const valueOf = (kind: Identity["kind"]) => identities.find((identity) => identity.kind === kind)?.value
  const slug = valueOf("slug")
  const email = valueOf("email")
  const words = [slug, email?.split("@", 1)[0]].map((text) => wordsOf(text ?? "")).find((list) => list.length > 0)
  const name = words === undefined ? (slug ?? email) : capitalized(words)
  return name && [...name].slice(0, 200).join("")
}

/** The input of the decision. `newId` is used when a lead is created. */
interface WriteRequest {
  readonly organizationId: OrganizationId
  readonly input: LeadUpsertInput
  readonly reference: Reference
  readonly decision: MatchDecision
  readonly leads: ReadonlyArray<StoredLead>
  /** Suppressions of the given identifiers. */
  readonly suppressions: ReadonlyArray<SuppressionMatch>
  readonly writer: FieldSource
  readonly newId: string
  readonly at: string
}

/** The changes to write. `stored` is the lead afterwards. */
export interface WritePlan {
  /** The row before; undefined for a new lead. */
  readonly before: LeadRow | undefined
  readonly stored: StoredLead
  readonly losers: ReadonlyArray<string>
  /** Other leads that lose a displayed email address or profile URL. */
  readonly donors: ReadonlyArray<LeadRow>
  readonly held: ReadonlyArray<LeadIdentityRow>
  readonly released: ReadonlyArray<LeadIdentityRow>
  /** New suppressions. */
  readonly suppressed: ReadonlyArray<SuppressionRow>
  /** Names of the visible changes: fields, `identities`, `status`. */
  readonly changed: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
}

const statusAfter = (
  { input, writer }: WriteRequest,
  from: LeadStatus,
  isKnown: boolean
): Result.Result<LeadStatus, LeadSuppressed> => {
  if (input.status === undefined) return Result.succeed(from)
  // A status in an import may be outdated, so for known leads only DoNotContact counts.
  if (writer === "import" && isKnown && input.status !== "DoNotContact") return Result.succeed(from)
  return setManually(from, input.status)
}

/** A new lead with only a name. */
const namedRow = ({ at, newId, organizationId }: WriteRequest, name: string): LeadRow => ({
  ...emptyContent,
  name,
  id: newId,
  organizationId,
  status: "New",
  provenance: {},
  lastInboundAt: null,
  lastOutboundAt: null,
  mergedInto: null,
  createdAt: at,
  updatedAt: at
})

const newRow = (request: WriteRequest): Result.Result<LeadRow, InvalidInput> => {
  const { first_name, last_name, name: given } = request.input
  const isNamed = Boolean(given || first_name || last_name)
  const name = isNamed ? "" : displayName(request.reference.identities)
  if (name === undefined) {
    return Result.fail(
      new InvalidInput({
        message:
          "name: required to create a lead, as these identifiers contain no name. Send name, or first_name and last_name."
      })
    )
  }
  return Result.succeed(namedRow(request, name))
}

/** The lead before the input is applied, merged with the losers. */
const baseOf = (
  request: WriteRequest,
  decision: Update | Merge
): { readonly base: StoredLead; readonly before: LeadRow; readonly losers: ReadonlyArray<string> } => {
  const byId = new Map(request.leads.map((lead) => [lead.row.id, lead]))
  const winnerId = decision._tag === "Update" ? decision.leadId : decision.winner
  const winner = byId.get(winnerId)
  if (winner === undefined) throw new Error(`lead ${winnerId} was matched but not found`)
  const losers = decision._tag === "Update" ? [] : decision.losers.flatMap((id) => byId.get(id) ?? [])
  return { base: mergeLeads(winner, losers), before: winner.row, losers: losers.map(({ row }) => row.id) }
}

const createdBase = (row: LeadRow) => ({
  base: { row, identities: [], missions: [], messages: [], suppressions: [] },
  before: undefined,
  losers: []
})

/** Other leads after identifiers moved away from them. */
const donorsOf = ({ at, leads }: WriteRequest, decision: MatchDecision): ReadonlyArray<LeadRow> =>
  decision._tag !== "Update"
    ? []
    : leads.flatMap(({ row }) => {
        const given = decision.move.filter(({ fromLeadId }) => fromLeadId === row.id)
        if (given.length === 0) return []
        const lost = given.map(({ identity }) => identity)
        return [{ ...row, ...shownWithout(row, lost, []), updatedAt: changedAt(row.updatedAt, at) }]
      })

/** New suppressions: of all identifiers when a lead enters DoNotContact or is merged, else of the added identifiers. */
const suppressedBy = (
  row: LeadRow,
  from: LeadStatus,
  isMade: boolean,
  identities: ReadonlyArray<Identity>,
  decision: MatchDecision
): ReadonlyArray<SuppressionRow> => {
  if (row.status !== "DoNotContact") return []
  const entry = { reason: statusReason, until: null, createdAt: row.updatedAt }
  if (isMade || from !== "DoNotContact") return entriesOfLead(row, identities, entry)
  const added = decision._tag === "Conflict" ? [] : decision.add
  return added.length === 0 ? [] : entriesOfLead(row, added, entry).filter(({ kind }) => kind !== "lead")
}

/** The new or existing lead to start from. */
const startOf = (request: WriteRequest, decision: Exclude<MatchDecision, Conflict>) =>
  decision._tag === "Create"
    ? Result.map(newRow(request), createdBase)
    : Result.succeed<ReturnType<typeof baseOf> | ReturnType<typeof createdBase>>(baseOf(request, decision))

/**
 * Fails with IDENTITY_CONFLICT, INVALID_INPUT (no name, or a field clears what another one names), LAST_IDENTIFIER or
 * LEAD_SUPPRESSED.
 */
export const decideWrite = (
  request: WriteRequest
): Result.Result<WritePlan, IdentityConflict | InvalidInput | LastIdentifier | LeadSuppressed> => {
  const { at, decision, input, reference, writer } = request
  if (decision._tag === "Conflict") return Result.fail(conflictFailure(decision))
  const start = startOf(request, decision)
  if (Result.isFailure(start)) return Result.fail(start.failure)
  const { base, before, losers } = start.success
  const from = before ?? base.row
  if (writer === "import" && base.row.status === "DoNotContact")
    return Result.fail(new LeadSuppressed({ leadId: base.row.id }))
  const moved = decision._tag === "Update" ? decision.move.map(({ identity }) => identity) : []
  const named = refuseSuppressedIdentifiers({
    matches: request.suppressions,
    ofLead: base.suppressions,
    leadIds: [from.id, ...losers],
    added: [...decision.add, ...moved],
    isImport: writer === "import",
    at
  })
  if (Result.isFailure(named)) return Result.fail(named.failure)

  const removed = decision._tag === "Update" ? decision.remove : []
  const kept = before === undefined ? decision.add : without([...base.identities, ...decision.add, ...moved], removed)
  const facts = factsOf(request, base, kept)
  const cleared = clearedIdentities(request, base.row, kept, facts)
  if (Result.isFailure(cleared)) return Result.fail(cleared.failure)
  const identities = without(kept, cleared.success)
  const content = contentOf(base.row)
  const written = applyInput({ content, provenance: base.row.provenance }, input, facts, writer)
  const known = cleared.success.length === 0 ? written : showOthers(written, cleared.success, identities)
  const status = statusAfter(request, base.row.status, before !== undefined)
  if (Result.isFailure(status)) return Result.fail(status.failure)
  const isStatusSame = status.success === from.status
  const changed = [...changedFields(from === base.row ? content : contentOf(from), known.content)]
  if (decision.add.length + moved.length + removed.length + cleared.success.length > 0) changed.push("identities")
  if (!isStatusSame) changed.push("status")
  const isTouched = changed.length > 0 || losers.length > 0
  const row: LeadRow = {
    ...base.row,
    ...known.content,
    status: status.success,
    provenance: known.provenance,
    updatedAt: before === undefined || !isTouched ? base.row.updatedAt : changedAt(base.row.updatedAt, at)
  }
  const rowOf = ({ derived, kind, value }: Identity): LeadIdentityRow => ({ kind, value, derived, leadId: row.id })
  return Result.succeed({
    before,
    stored: { row, identities, missions: base.missions, messages: base.messages, suppressions: base.suppressions },
    losers,
    donors: donorsOf(request, decision),
    held: [...decision.add, ...moved].map(rowOf),
    released: [...removed, ...cleared.success].map(rowOf),
    suppressed: suppressedBy(row, from.status, before === undefined || losers.length > 0, identities, decision),
    changed,
    warnings:
      decision._tag === "Update" && decision.warnings.length > 0
        ? [...reference.warnings, ...decision.warnings]
        : reference.warnings
  })
}
