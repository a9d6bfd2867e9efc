/**
 * What an upsert does to the leads it means, decided before anything is written.
 *
 * A function of what was found; it fails with everything that refuses the call. Source: G11, G12, G18.
 */
import * as Result from "effect/Result"
import { type Failure, fail } from "../Failure.ts"
import { changedAt } from "../Time.ts"
import { applyInput, changedFields } from "./applyInput.ts"
import { type Identity, identityKey } from "./identity/Identity.ts"
import { conflictFailure, type MatchDecision, type Merge, type Update } from "./identity/MatchDecision.ts"
import { contentOf, emptyContent, type FieldSource, type LeadRow } from "./Lead.ts"
import type { LeadUpsertInput } from "./LeadInput.ts"
import { type LeadStatus, setManually } from "./LeadStatus.ts"
import type { StoredLead } from "./LeadsRepo.ts"
import type { LeadIdentityRow } from "./LeadTables.ts"
import { mergeLeads } from "./mergeLeads.ts"
import type { Reference } from "./readReference.ts"
import { factsOf, isShown } from "./shownAddresses.ts"
import { shownName } from "./shownName.ts"

/** Everything that the decision depends on. `newId` is used when a lead is created. */
export interface WriteRequest {
  readonly organizationId: string
  readonly input: LeadUpsertInput
  readonly reference: Reference
  readonly decision: MatchDecision
  readonly leads: ReadonlyArray<StoredLead>
  readonly writer: FieldSource
  readonly newId: string
  readonly at: string
}

/** What is written, and how it differs from before. `stored` is the lead afterwards. */
export interface WritePlan {
  /** As it was; undefined for a new lead. */
  readonly before: LeadRow | undefined
  readonly stored: StoredLead
  readonly losers: ReadonlyArray<string>
  /** Other leads that lost an identifier which they showed. */
  readonly donors: ReadonlyArray<LeadRow>
  readonly held: ReadonlyArray<LeadIdentityRow>
  readonly released: ReadonlyArray<LeadIdentityRow>
  /** Names of what changed and is seen: fields, `identities`, `status`. */
  readonly changed: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
}

const without = (identities: ReadonlyArray<Identity>, removed: ReadonlyArray<Identity>): ReadonlyArray<Identity> => {
  const keys = new Set(removed.map(identityKey))
  return identities.filter((identity) => !keys.has(identityKey(identity)))
}

const statusAfter = (
  { input, writer }: WriteRequest,
  from: LeadStatus,
  isKnown: boolean
): Result.Result<LeadStatus, Failure> => {
  if (input.status === undefined) return Result.succeed(from)
  // An import says where people stood once; of those we know it is heard only when it says to leave them alone.
  if (writer === "import" && isKnown && input.status !== "DoNotContact") return Result.succeed(from)
  return setManually(from, input.status)
}

const newRow = (request: WriteRequest): Result.Result<LeadRow, Failure> => {
  const name = shownName(request.reference.identities)
  const names = [request.input.name, request.input.first_name, request.input.last_name]
  if (name === undefined && !names.some((text) => text)) {
    return Result.fail(
      fail(
        "INVALID_INPUT",
        "name: required to create a lead from these identifiers, since they show no name. Send name, or first_name and last_name."
      )
    )
  }
  return Result.succeed({
    ...emptyContent,
    name: name ?? "",
    id: request.newId,
    organizationId: request.organizationId,
    status: "New",
    provenance: {},
    lastInboundAt: null,
    lastOutboundAt: null,
    mergedInto: null,
    createdAt: request.at,
    updatedAt: request.at
  })
}

/** The lead before the input is applied, with what a merge brings. */
const baseOf = (
  request: WriteRequest,
  decision: Update | Merge
): { readonly base: StoredLead; readonly before: LeadRow; readonly losers: ReadonlyArray<string> } => {
  const byId = new Map(request.leads.map((lead) => [lead.row.id, lead]))
  const winnerId = decision._tag === "Update" ? decision.leadId : decision.winner
  const winner = byId.get(winnerId)
  if (winner === undefined) throw new Error(`lead ${winnerId} was decided upon but not found`)
  const losers = decision._tag === "Update" ? [] : decision.losers.flatMap((id) => byId.get(id) ?? [])
  return { base: mergeLeads(winner, losers), before: winner.row, losers: losers.map(({ row }) => row.id) }
}

const createdBase = (row: LeadRow) => ({
  base: { row, identities: [], missions: [], messages: [] },
  before: undefined,
  losers: []
})

/** Other leads after they gave identifiers away. */
const donorsOf = ({ at, leads }: WriteRequest, decision: MatchDecision): ReadonlyArray<LeadRow> =>
  decision._tag !== "Update"
    ? []
    : leads.flatMap(({ row }) => {
        const given = decision.move.filter(({ fromLeadId }) => fromLeadId === row.id)
        if (given.length === 0) return []
        const loses = (kind: Identity["kind"]) =>
          given.some(({ identity }) => identity.kind === kind && isShown(row, identity))
        const updatedAt = changedAt(row.updatedAt, at)
        return [
          {
            ...row,
            ...(loses("email") ? { email: "" } : {}),
            ...(loses("slug") ? { linkedinUrl: "" } : {}),
            updatedAt
          }
        ]
      })

/** Decides. Fails with IDENTITY_CONFLICT, INVALID_INPUT (no name), LEAD_SUPPRESSED. */
export const decideWrite = (request: WriteRequest): Result.Result<WritePlan, Failure> =>
  Result.gen(function* () {
    const { at, decision, input, reference, writer } = request
    if (decision._tag === "Conflict") return yield* Result.fail(conflictFailure(decision))
    const { base, before, losers } =
      decision._tag === "Create" ? createdBase(yield* newRow(request)) : baseOf(request, decision)
    const from = before ?? base.row
    if (writer === "import" && base.row.status === "DoNotContact") return yield* Result.fail(fail("LEAD_SUPPRESSED"))

    const moved = decision._tag === "Update" ? decision.move.map(({ identity }) => identity) : []
    const removed = decision._tag === "Update" ? decision.remove : []
    const kept = without([...base.identities, ...decision.add, ...moved], removed)
    const heldKeys = new Set(kept.map(identityKey))
    const facts = factsOf(request, base, (identity) => heldKeys.has(identityKey(identity)))
    const known = applyInput({ content: contentOf(base.row), provenance: base.row.provenance }, input, facts, writer)
    // An address that is cleared was wrong, so it does not find this person any more.
    const cleared = base.identities.filter(
      (identity) =>
        isShown(base.row, identity) &&
        ((identity.kind === "email" && facts.email === "" && known.content.email === "") ||
          (identity.kind === "slug" && facts.linkedinUrl === "" && known.content.linkedinUrl === ""))
    )
    const status = yield* statusAfter(request, base.row.status, before !== undefined)
    const identitiesChange = decision.add.length + moved.length + removed.length + cleared.length > 0
    const changed = [
      ...changedFields(contentOf(from), known.content),
      ...(identitiesChange ? ["identities"] : []),
      ...(status === from.status ? [] : ["status"])
    ]
    const isTouched = changed.length > 0 || losers.length > 0
    const row: LeadRow = {
      ...base.row,
      ...known.content,
      provenance: known.provenance,
      status,
      updatedAt: before === undefined || !isTouched ? base.row.updatedAt : changedAt(base.row.updatedAt, at)
    }
    const rowOf = (identity: Identity): LeadIdentityRow => ({ ...identity, leadId: row.id })
    return {
      before,
      stored: { ...base, row, identities: without(kept, cleared) },
      losers,
      donors: donorsOf(request, decision),
      held: [...decision.add, ...moved].map(rowOf),
      released: [...removed, ...cleared].map(rowOf),
      changed,
      warnings: [...reference.warnings, ...(decision._tag === "Update" ? decision.warnings : [])]
    }
  })
