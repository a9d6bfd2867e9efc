/** The review queue, and who looks at its items, in the in-memory store. */
import { compareText, reviewTabs, tally } from "@svc/core/internal"
import * as Review from "@svc/core/review"
import { pageBy, repository, table } from "../MemoryStore.ts"
import { keys } from "../workspace/OrganizationsMemory.ts"
import { entriesIn, type PlacedEntry } from "./reviewEntries.ts"

const isMeant = ({ agent, flagged, hidden, kinds, minScore, mission, query, reply }: Review.ReviewFilter) => {
  const contains = (text: string) => query === undefined || text.toLowerCase().includes(query)
  return ({ agents, entry, missions, text }: PlacedEntry): boolean =>
    kinds.includes(entry.kind) &&
    !(entry.kind === "approval" && hidden.includes(entry.text)) &&
    (mission === undefined || missions.includes(mission)) &&
    (agent === undefined || agents.includes(agent)) &&
    (minScore === undefined || (entry.lead !== null && entry.lead.score >= minScore)) &&
    (reply === undefined || entry.state === reply) &&
    (flagged === undefined || entry.flagged === flagged) &&
    (contains(entry.lead?.name ?? "") || contains(entry.lead?.company ?? "") || contains(text))
}

const dayIn = (zone: string, at: string): string =>
  new Date(at).toLocaleDateString("sv-SE", { timeZone: zone === "" ? "UTC" : zone })

interface Look extends Review.Looking, Review.Viewer {
  readonly expiresAt: string
}

const looks = table<Look>("review_viewers")
const keyOf = ({ itemId, viewerId }: Review.Looking): string => `${itemId}/${viewerId}`

/** Reads the review queue from memory, and keeps looks. */
export const layer = repository(Review.ReviewRepo)((store) => ({
  list: store.reading((tables, tab, filter, page) => {
    const rows = entriesIn(tables, filter)
      .filter(isMeant(filter))
      .flatMap(({ entry, places }) => {
        const at = places[tab]
        return at === undefined ? [] : [{ ...entry, place: at }]
      })
    return pageBy(rows, Review.isNewestFirst(tab) ? "desc" : "asc", ({ itemId, place }) => [place, itemId], page)
  }),
  counts: store.reading((tables, filter, leaving): Review.ReviewCounts => {
    const all = entriesIn(tables, filter)
    const rows = all.filter(isMeant(filter))
    const inTab = (tab: Review.ReviewTab) => rows.filter(({ places }) => places[tab] !== undefined)
    const leavesToday = ({ agent, kind, notBefore, queueId }: Review.ReviewEntry): boolean => {
      if (queueId !== null && leaving.includes(queueId)) return true
      if (kind !== "email" || notBefore === null) return false
      const zone = agent?.timezone ?? ""
      return dayIn(zone, notBefore) <= dayIn(zone, filter.at)
    }
    return {
      ...tally(reviewTabs, (tab) => inTab(tab).length),
      leaving_today: inTab("approved").filter(({ entry }) => leavesToday(entry)).length,
      replies_waiting: all.filter(isMeant({ ...filter, reply: "waiting" })).filter(({ places }) => places.replies)
        .length
    }
  }),
  find: store.reading(
    (tables, itemId, at) => entriesIn(tables, { at, since: at }).find(({ entry }) => entry.itemId === itemId)?.entry
  ),
  look: store.writing((tables, looking, at, until) => {
    const before = tables.get(looks, keyOf(looking))
    const key = looking.keyId === null ? undefined : tables.get(keys, looking.keyId)
    if (until !== undefined) {
      tables.removeWhere(looks, (look) => look.expiresAt <= at)
      tables.set(looks, keyOf(looking), {
        ...looking,
        name: key?.organizationId === tables.organizationId ? key.name : looking.userId,
        since: before !== undefined && before.expiresAt > at ? before.since : at,
        expiresAt: until
      })
    }
    const { itemId, viewerId } = looking
    return tables
      .where(looks, (look) => look.itemId === itemId && look.viewerId !== viewerId && look.expiresAt > at)
      .toSorted((a, b) => compareText(a.since, b.since) || compareText(a.viewerId, b.viewerId))
      .map(({ name, since }) => ({ name, since }))
  })
}))
