/** One lead made of several that are the same person. Source: G18 "merge". */
import { isDeepStrictEqual } from "node:util"
import { contentOf, emptyContent, type LeadContent, type LeadRow } from "./Lead.ts"
import type { LeadStatus } from "./LeadStatus.ts"
import { oldestFirst, type StoredLead } from "./LeadsRepo.ts"

/** How far along a status is; what must not be forgotten weighs most. */
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

const weightiest = (a: LeadStatus, b: LeadStatus): LeadStatus => (weights.indexOf(b) > weights.indexOf(a) ? b : a)

const later = (a: string | null, b: string | null): string | null => ((b ?? "") > (a ?? "") ? b : a)

/** Fields that go over together, since one without the others would be wrong. */
const groups: ReadonlyArray<ReadonlyArray<keyof LeadContent>> = [["name", "firstName", "lastName"]]

const groupOf = (field: keyof LeadContent): ReadonlyArray<keyof LeadContent> =>
  groups.find((group) => group.includes(field)) ?? [field]

const isFieldOf = (content: LeadContent, field: string): field is keyof LeadContent & string => field in content

/** What the winner lacks comes from the loser; of a name that nobody gave, one that somebody gave is better. */
const absorbRow = (winner: LeadRow, loser: LeadRow): LeadRow => {
  let merged = winner
  const given = contentOf(loser)
  for (const field of Object.keys(emptyContent)) {
    if (!isFieldOf(given, field) || groupOf(field)[0] !== field) continue
    const isLacking =
      field === "name"
        ? winner.provenance.name === undefined && loser.provenance.name !== undefined
        : isDeepStrictEqual(winner[field], emptyContent[field]) && winner.provenance[field] === undefined
    if (!isLacking || isDeepStrictEqual(given[field], emptyContent[field])) continue
    const values = Object.fromEntries(groupOf(field).map((name) => [name, given[name]]))
    const writer = loser.provenance[field]
    merged = {
      ...merged,
      ...values,
      provenance: { ...merged.provenance, ...(writer === undefined ? {} : { [field]: writer }) }
    }
  }
  return {
    ...merged,
    status: weightiest(winner.status, loser.status),
    lastInboundAt: later(winner.lastInboundAt, loser.lastInboundAt),
    lastOutboundAt: later(winner.lastOutboundAt, loser.lastOutboundAt)
  }
}

/** The winner with everything of the losers, in their order. Ids and creation are the winner's. */
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
