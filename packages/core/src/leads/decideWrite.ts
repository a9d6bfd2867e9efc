/**
 * Deciding what an upsert writes to the matched leads, and merging the data of leads. A pure function of what was found; every refusal of the call
 * happens here, before anything is written.
 */

import * as Result from "effect/Result"
import { InvalidInput } from "../kernel/failure/failures.ts"
import { changedAt, type OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import { camelCase } from "../kernel/schema/snakeCase.ts"
import * as Apply from "./applyInput.ts"
import { LeadSuppressed } from "./failures.ts"
import { uniteTags } from "./fieldKinds.ts"
import { type Identity, without } from "./identity/Identity.ts"
import type { Reference } from "./identity/IdentityInput.ts"
import { conflictFailure, type MatchDecision, type Merge, type Update } from "./identity/Matching.ts"
import {
  contentOf,
  emptyContent,
  type FieldSource,
  type LeadContent,
  type LeadIdentityRow,
  type LeadRow,
  type LeadUpsertInput,
  lastInteractionOf
} from "./Lead.ts"
import { type LeadStatus, setManually } from "./LeadStatus.ts"
import { oldestFirst, type Resolution, type StoredLead } from "./LeadsRepo.ts"
import { entriesOfStatus, refuseSuppressedIdentifiers, type SuppressionRow } from "./suppression/Suppression.ts"

/** Statuses, the one that wins a merge last. */
const weights: ReadonlyArray<LeadStatus> = [
  "New",
  "Waiting",
  "Contacted",
  "Replied",
  "NotInterested",
  "Interested",
  "MeetingBooked",
  "DoNotContact"
]

const higherStatus = (a: LeadStatus, b: LeadStatus): LeadStatus => (weights.indexOf(b) > weights.indexOf(a) ? b : a)

const later = (a: string | null, b: string | null): string | null => ((b ?? "") > (a ?? "") ? b : a)

const isLater = (a: LeadRow, b: LeadRow): boolean => (lastInteractionOf(a) ?? "") > (lastInteractionOf(b) ?? "")

/** Fills the winner's empty fields from the loser. Names are taken together: a given one replaces a derived one. */
const absorbRow = (winner: LeadRow, loser: LeadRow): LeadRow => {
  const { firstName, lastName, name, ownFields, tags, ...others } = contentOf(loser)
  const known: Readonly<Record<string, unknown>> = { ...winner }
  const content: Record<string, unknown> = {}
  const provenance: Record<string, FieldSource> = { ...winner.provenance }
  const writers: Readonly<Record<string, FieldSource>> = { ...loser.provenance }
  if (provenance["name"] === undefined && writers["name"] !== undefined) {
    Object.assign(content, { firstName, lastName, name })
    provenance["name"] = writers["name"]
  }
  const take = (field: string) => {
    const writer = writers[field]
    if (writer !== undefined) provenance[field] = writer
  }
  for (const [field, value] of Object.entries(others)) {
    if (Apply.isEmpty(value) || !Apply.isEmpty(known[field]) || provenance[field] !== undefined) continue
    content[field] = value
    take(field)
  }
  const own = Object.entries(ownFields).filter(([key]) => provenance[`fields.${key}`] === undefined)
  for (const [key] of own) take(`fields.${key}`)
  if (tags.length > 0 && provenance["tags"] !== "user") take("tags")
  return {
    ...winner,
    ...content,
    ownFields: { ...winner.ownFields, ...Object.fromEntries(own) },
    tags: uniteTags(winner.tags, tags),
    provenance,
    status: higherStatus(winner.status, loser.status),
    lastInboundAt: later(winner.lastInboundAt, loser.lastInboundAt),
    lastOutboundAt: later(winner.lastOutboundAt, loser.lastOutboundAt),
    // As of any new message, that of the one who wrote last counts.
    snoozedUntil: isLater(loser, winner) ? loser.snoozedUntil : winner.snoozedUntil,
    awayUntil:
      [winner.awayUntil, loser.awayUntil]
        .filter((at) => at !== null)
        .toSorted()
        .at(-1) ?? null,
    draftRequest: winner.draftRequest ?? loser.draftRequest
  }
}

/** The winner with the data of the losers, in their order; keeps the winner's id and creation time. */
export const mergeLeads = (winner: StoredLead, losers: ReadonlyArray<StoredLead>): StoredLead => {
  const all = [winner, ...losers]
  const links = all.flatMap((lead) => lead.missions).sort(oldestFirst(({ linkedAt }) => linkedAt))
  return {
    row: losers.reduce((row, loser) => absorbRow(row, loser.row), winner.row),
    identities: all.flatMap(({ identities }) => identities),
    missions: links.filter((link, index) => links.findIndex(({ id }) => id === link.id) === index),
    messages: all.flatMap(({ messages }) => messages).sort(oldestFirst(({ date }) => date)),
    suppressions: all.flatMap(({ suppressions }) => suppressions)
  }
}

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
  readonly found: Pick<Resolution, "leads" | "suppressions">
  readonly source: FieldSource
  readonly defaults?: LeadUpsertInput | undefined
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
  { input, source }: WriteRequest,
  from: LeadStatus,
  isKnown: boolean
): Result.Result<LeadStatus, LeadSuppressed> => {
  if (input.status === undefined) return Result.succeed(from)
  // A status in an import may be outdated, so for known leads only DoNotContact counts.
  if (source === "import" && isKnown && input.status !== "DoNotContact") return Result.succeed(from)
  return setManually(from, input.status)
}

/** A new lead, at most with a name that its identifiers contain. */
const newBase = ({ at, input, newId, organizationId, reference }: WriteRequest) => {
  const isNamed = Boolean(input.name || input.first_name || input.last_name)
  const name = isNamed ? "" : displayName(reference.identities)
  if (name === undefined) {
    const message =
      "name: required to create a lead, as these identifiers contain no name. Send name, or first_name and last_name."
    return Result.fail(new InvalidInput({ message }))
  }
  const row: LeadRow = {
    ...emptyContent,
    name,
    id: newId,
    organizationId,
    status: "New",
    provenance: {},
    lastInboundAt: null,
    lastOutboundAt: null,
    snoozedUntil: null,
    awayUntil: null,
    draftRequest: null,
    mergedInto: null,
    createdAt: at,
    updatedAt: at
  }
  const base = { row, identities: [], missions: [], messages: [], suppressions: [] }
  return Result.succeed({ base, before: undefined, losers: [] })
}

/** The lead before the input is applied, merged with the losers. */
const baseOf = ({ found }: WriteRequest, decision: Update | Merge) => {
  const byId = new Map(found.leads.map((lead) => [lead.row.id, lead]))
  const winnerId = decision._tag === "Update" ? decision.leadId : decision.winner
  const winner = byId.get(winnerId)
  if (winner === undefined) throw new Error(`lead ${winnerId} was matched but not found`)
  const losers = decision._tag === "Update" ? [] : decision.losers.flatMap((id) => byId.get(id) ?? [])
  return { base: mergeLeads(winner, losers), before: winner.row, losers: losers.map(({ row }) => row.id) }
}

/** Other leads after identifiers moved away from them. */
const donorsOf = ({ at, found }: WriteRequest, decision: MatchDecision): ReadonlyArray<LeadRow> =>
  decision._tag !== "Update"
    ? []
    : found.leads.flatMap(({ row }) => {
        const given = decision.move.filter(({ fromLeadId }) => fromLeadId === row.id)
        if (given.length === 0) return []
        const lost = given.map(({ identity }) => identity)
        return [{ ...row, ...Apply.shownWithout(row, lost, []), updatedAt: changedAt(row.updatedAt, at) }]
      })

/** New suppressions: of all identifiers when a lead enters DoNotContact or is merged, else of the added identifiers. */
const suppressedBy = (
  row: LeadRow,
  from: LeadStatus,
  isMade: boolean,
  identities: ReadonlyArray<Identity>,
  added: ReadonlyArray<Identity>
): ReadonlyArray<SuppressionRow> => {
  if (row.status !== "DoNotContact") return []
  if (isMade || from !== "DoNotContact") return entriesOfStatus(row, identities)
  return added.length === 0 ? [] : entriesOfStatus(row, added).filter(({ kind }) => kind !== "lead")
}

/** The defaults of which the lead has no value. */
const defaultsFor = (content: LeadContent, defaults: LeadUpsertInput = {}): LeadUpsertInput => {
  const known: Readonly<Record<string, unknown>> = { ...content }
  return Object.fromEntries(Object.entries(defaults).filter(([key]) => Apply.isEmpty(known[camelCase(key)])))
}

/**
 * Fails with IDENTITY_CONFLICT, INVALID_INPUT (no name, or a field clears what another one names), LAST_IDENTIFIER or
 * LEAD_SUPPRESSED.
 */
export const decideWrite = (request: WriteRequest) =>
  Result.gen(function* () {
    const { at, decision, input, reference, source } = request
    if (decision._tag === "Conflict") return yield* Result.fail(conflictFailure(decision))
    const { base, before, losers } = decision._tag === "Create" ? yield* newBase(request) : baseOf(request, decision)
    const from = before ?? base.row
    if (source === "import" && base.row.status === "DoNotContact")
      return yield* Result.fail(new LeadSuppressed({ leadId: base.row.id }))
    const moved = decision._tag === "Update" ? decision.move.map(({ identity }) => identity) : []
    yield* refuseSuppressedIdentifiers({
      matches: request.found.suppressions,
      ofLead: base.suppressions,
      leadIds: [from.id, ...losers],
      added: [...decision.add, ...moved],
      isImport: source === "import",
      at
    })

    const removed = decision._tag === "Update" ? decision.remove : []
    const kept = before === undefined ? decision.add : without([...base.identities, ...decision.add, ...moved], removed)
    const facts = Apply.factsOf(request, base, kept)
    const cleared = yield* Apply.clearedIdentities(request, base.row, kept, facts)
    const identities = without(kept, cleared)
    const content = contentOf(base.row)
    const all = { ...defaultsFor(content, request.defaults), ...input }
    const written = Apply.applyInput({ content, provenance: base.row.provenance }, all, facts, source)
    const known = cleared.length === 0 ? written : Apply.showOthers(written, cleared, identities)
    const status = yield* statusAfter(request, base.row.status, before !== undefined)
    const changed = [...Apply.changedFields(from === base.row ? content : contentOf(from), known.content)]
    if (decision.add.length + moved.length + removed.length + cleared.length > 0) changed.push("identities")
    if (status !== from.status) changed.push("status")
    const isTouched = changed.length > 0 || losers.length > 0
    const row: LeadRow = {
      ...base.row,
      ...known.content,
      status,
      provenance: known.provenance,
      updatedAt: before === undefined || !isTouched ? base.row.updatedAt : changedAt(base.row.updatedAt, at)
    }
    const rowOf = ({ derived, kind, value }: Identity): LeadIdentityRow => ({ kind, value, derived, leadId: row.id })
    const plan: WritePlan = {
      before,
      stored: { row, identities, missions: base.missions, messages: base.messages, suppressions: base.suppressions },
      losers,
      donors: donorsOf(request, decision),
      held: [...decision.add, ...moved].map(rowOf),
      released: [...removed, ...cleared].map(rowOf),
      suppressed: suppressedBy(row, from.status, before === undefined || losers.length > 0, identities, decision.add),
      changed,
      warnings: decision._tag === "Update" ? [...reference.warnings, ...decision.warnings] : reference.warnings
    }
    return plan
  })
