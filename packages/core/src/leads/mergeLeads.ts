/** Merging the data of several leads into one. */
import { isDeepStrictEqual } from "node:util"
import { contentOf, emptyContent, type LeadContent, type LeadRow } from "./Lead.ts"
import type { LeadStatus } from "./LeadStatus.ts"
import { oldestFirst, type StoredLead } from "./LeadsRepo.ts"

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

/** Fields that are only taken over together. */
const groups: ReadonlyArray<ReadonlyArray<keyof LeadContent>> = [["name", "firstName", "lastName"]]

const groupOf = (field: keyof LeadContent): ReadonlyArray<keyof LeadContent> =>
  groups.find((group) => group.includes(field)) ?? [field]

const isFieldOf = (content: LeadContent, field: string): field is keyof LeadContent & string => field in content

/** Fills the winner's empty fields from the loser. A given name replaces a derived one. */
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
    status: higherStatus(winner.status, loser.status),
    lastInboundAt: later(winner.lastInboundAt, loser.lastInboundAt),
    lastOutboundAt: later(winner.lastOutboundAt, loser.lastOutboundAt)
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
