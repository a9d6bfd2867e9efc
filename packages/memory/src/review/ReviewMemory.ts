/** The review queue, and who looks at its items, in the in-memory store. */
import { cutPage, type OrganizationId } from "@svc/core"
import { compareText } from "@svc/core/leads"
import {
  isNewestFirst,
  type Looking,
  type ReviewCounts,
  type ReviewEntry,
  type ReviewFilter,
  ReviewRepo,
  reviewTabs,
  type Viewer
} from "@svc/core/review"
import { globalPartition, repository, type Tables, table } from "../MemoryStore.ts"
import { keys } from "../workspace/OrganizationsMemory.ts"
import { entriesIn, type PlacedEntry } from "./reviewEntries.ts"

const isMeant = ({ agent, flagged, hidden, kinds, minScore, mission, query }: ReviewFilter) => {
  const contains = (text: string) => query === undefined || text.toLowerCase().includes(query)
  return ({ agents, entry, missions, text }: PlacedEntry): boolean =>
    kinds.includes(entry.kind) &&
    !(entry.kind === "approval" && hidden.includes(entry.text)) &&
    (mission === undefined || missions.includes(mission)) &&
    (agent === undefined || agents.includes(agent)) &&
    (minScore === undefined || (entry.lead !== null && entry.lead.score >= minScore)) &&
    (flagged === undefined || entry.flagged === flagged) &&
    (contains(entry.lead?.name ?? "") || contains(entry.lead?.company ?? "") || contains(text))
}

const dayIn = (zone: string, at: string): string =>
  new Date(at).toLocaleDateString("sv-SE", { timeZone: zone === "" ? "UTC" : zone })

interface Look extends Looking, Viewer {
  readonly expiresAt: string
}

const looks = table<Look>("review_viewers")
const keyOf = ({ itemId, viewerId }: Looking): string => `${itemId}/${viewerId}`

const othersOf = (
  tables: Tables,
  organizationId: OrganizationId,
  { itemId, viewerId }: Looking,
  at: string
): ReadonlyArray<Viewer> =>
  tables
    .all(looks, organizationId)
    .filter((look) => look.itemId === itemId && look.viewerId !== viewerId && look.expiresAt > at)
    .toSorted((a, b) => compareText(a.since, b.since) || compareText(a.viewerId, b.viewerId))
    .map(({ name, since }) => ({ name, since }))

/** Reads the review queue from memory, and keeps looks. */
export const layer = repository(ReviewRepo, (store) => ({
  list: (organizationId, tab, filter, { after, limit }) =>
    store.read((tables) => {
      const sign = isNewestFirst(tab) ? -1 : 1
      const order = (a: ReviewEntry, b: ReviewEntry) =>
        sign * (compareText(a.place, b.place) || compareText(a.itemId, b.itemId))
      const [place = "", itemId = ""] = (after ?? []).map(String)
      const rows = entriesIn(tables, organizationId, filter)
        .filter(isMeant(filter))
        .flatMap(({ entry, places }) => {
          const at = places[tab]
          return at === undefined ? [] : [{ ...entry, place: at }]
        })
        .filter(
          (entry) =>
            after === undefined || sign * (compareText(entry.place, place) || compareText(entry.itemId, itemId)) > 0
        )
        .toSorted(order)
      return cutPage(rows, limit, (entry) => [entry.place, entry.itemId])
    }),
  counts: (organizationId, filter, leaving) =>
    store.read((tables): ReviewCounts => {
      const rows = entriesIn(tables, organizationId, filter).filter(isMeant(filter))
      const [to_review, approved, sent, replies, problems, snoozed] = reviewTabs.map(
        (tab) => rows.filter(({ places }) => places[tab] !== undefined).length
      )
      const leavesToday = ({ agent, kind, notBefore, queueId }: ReviewEntry): boolean => {
        if (queueId !== null && leaving.includes(queueId)) return true
        if (kind !== "email" || notBefore === null) return false
        const zone = agent?.timezone ?? ""
        return dayIn(zone, notBefore) <= dayIn(zone, filter.at)
      }
      return {
        to_review: to_review ?? 0,
        approved: approved ?? 0,
        sent: sent ?? 0,
        replies: replies ?? 0,
        problems: problems ?? 0,
        snoozed: snoozed ?? 0,
        leavingToday: rows.filter(({ entry, places }) => places.approved !== undefined && leavesToday(entry)).length
      }
    }),
  find: (organizationId, itemId, at) =>
    store.read(
      (tables) =>
        entriesIn(tables, organizationId, { at, since: at }).find(({ entry }) => entry.itemId === itemId)?.entry
    ),
  look: (organizationId, looking, at, until) =>
    store.write((tables) => {
      tables.removeWhere(looks, organizationId, (look) => look.expiresAt <= at && keyOf(look) !== keyOf(looking))
      const before = tables.get(looks, organizationId, keyOf(looking))
      const key = tables.get(keys, globalPartition, looking.viewerId)
      const isLasting = before !== undefined && before.expiresAt > at
      tables.set(looks, organizationId, keyOf(looking), {
        ...looking,
        name: key?.organizationId === organizationId ? key.name : looking.viewerId,
        since: isLasting ? before.since : at,
        expiresAt: until
      })
      return othersOf(tables, organizationId, looking, at)
    }),
  others: (organizationId, looking, at) => store.read((tables) => othersOf(tables, organizationId, looking, at))
}))
