/** Pages of the review queue with their findings. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../kernel/command/Actor.ts"
import { NotFound, type StoreFailure } from "../kernel/failure/failures.ts"
import type { Page, PageRequest } from "../kernel/schema/Page.ts"
import { type DraftFinding, findingsOf } from "../outreach/drafts/check/draftFindings.ts"
import { DraftChecksRepo } from "../outreach/drafts/DraftChecksRepo.ts"
import { mayRead, type ReviewEntry, type ReviewFilter, ReviewRepo, type ReviewTab } from "./ReviewRepo.ts"

/** Input field `finding`. */
export const FindingFilter = Schema.Literals(["none", "any", "error"]).annotate({
  description: "Only messages without errors and warnings (none), with some (any), or with errors"
})

type Wanted = typeof FindingFilter.Type | undefined

interface CheckedEntry {
  readonly entry: ReviewEntry
  readonly findings: ReadonlyArray<DraftFinding>
}

/** Findings depend on other texts and are not stored, so this many items are looked at for one page. */
const maxSearched = 500

const matches =
  (wanted: Wanted) =>
  ({ entry, findings }: CheckedEntry): boolean => {
    if (wanted === undefined) return true
    if (entry.kind !== "message") return false
    const has = (severity: string) => findings.some((finding) => finding.severity === severity)
    if (wanted === "error") return has("error")
    return (has("error") || has("warning")) === (wanted === "any")
  }

/** A page of a tab. With `wanted`, it ends after {@link maxSearched} items, however many match. */
export const readChecked = Effect.fnUntraced(function* (
  tab: ReviewTab,
  filter: ReviewFilter,
  wanted: Wanted,
  { after, limit }: PageRequest
): Effect.fn.Return<Page<CheckedEntry>, StoreFailure, Actor | DraftChecksRepo | ReviewRepo> {
  const { organizationId } = yield* Actor
  const size = wanted === undefined ? limit : maxSearched
  const page = yield* (yield* ReviewRepo).list(organizationId, tab, filter, { after, limit: size })
  const draftIds = page.items.flatMap(({ itemId, kind }) => (kind === "message" ? [itemId] : []))
  const facts =
    draftIds.length === 0 ? new Map() : yield* (yield* DraftChecksRepo).factsOfMany(organizationId, draftIds)
  const checked = page.items.map((entry): CheckedEntry => {
    const known = facts.get(entry.itemId)
    return { entry, findings: known === undefined ? [] : findingsOf(known) }
  })
  const found = checked.filter(matches(wanted))
  if (found.length <= limit) return { items: found, next: page.next }
  const items = found.slice(0, limit)
  const last = items.at(-1)?.entry
  return { items, next: last && [last.place, last.itemId] }
})

/** The item as it is at an instant. Fails with NOT_FOUND, also for one of a kind that the actor may not read. */
export const readEntry = Effect.fnUntraced(function* (
  id: string,
  at: string
): Effect.fn.Return<ReviewEntry, NotFound | StoreFailure, Actor | ReviewRepo> {
  const actor = yield* Actor
  const entry = yield* (yield* ReviewRepo).find(actor.organizationId, id, at)
  if (entry === undefined || !mayRead(actor, entry.kind)) return yield* new NotFound({ kind: "item to review", id })
  return entry
})
