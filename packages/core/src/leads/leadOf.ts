/** A lead as callers see it, full or compact. */
import { isSameValue } from "./applyInput.ts"
import { type Lead, lastInteractionOf, type Message } from "./Lead.ts"
import type { LeadMessage, StoredLead } from "./LeadsRepo.ts"
import { compactValues, shownValues } from "./projectFields.ts"

const messageOf = (row: LeadMessage): Message => ({
  id: row.id,
  content: row.content,
  channel: row.channel,
  date: row.date,
  timestamp: row.date,
  ...(row.senderName === null ? {} : { senderName: row.senderName }),
  ...(row.isPending ? { isPending: true } : {})
})

/** The lead in the spec's closed shape. Required texts are empty when unknown. */
export const leadOf = ({ messages, missions, row }: StoredLead): Lead => {
  const lastInteraction = lastInteractionOf(row)
  const latest = missions.at(-1)
  const inDirection = (direction: LeadMessage["direction"]) =>
    messages.filter((message) => message.direction === direction).map(messageOf)
  return {
    id: row.id,
    name: row.name,
    title: row.headline || row.jobTitle,
    ...shownValues(row),
    linkedinUrl: row.linkedinUrl,
    linkedin_url: row.linkedinUrl,
    status: row.status,
    ...(lastInteraction === null ? {} : { lastInteraction }),
    linkedinProfileEnriched: false,
    ...(row.email === "" ? {} : { email: row.email }),
    ...(latest === undefined ? {} : { mission: latest.name }),
    missions: missions.map(({ name }) => name),
    sentMessages: inDirection("outbound"),
    receivedMessages: inDirection("inbound"),
    addedDate: row.createdAt
  }
}

const keptMessages = 3

/** The lead without what compact outputs omit, with the last three messages of each direction, and a warning if cut. */
export const compactLead = (lead: Lead): { readonly output: Lead; readonly warnings: ReadonlyArray<string> } => {
  const { receivedMessages = [], sentMessages = [] } = lead
  const kept = compactValues(lead)
  const isCut = !isSameValue(kept, lead) || Math.max(sentMessages.length, receivedMessages.length) > keptMessages
  return {
    output: {
      ...kept,
      sentMessages: sentMessages.slice(-keptMessages),
      receivedMessages: receivedMessages.slice(-keptMessages)
    },
    warnings: isCut
      ? [
          `compact: posts, job descriptions or messages of lead ${lead.id} are omitted; use response_profile full for all`
        ]
      : []
  }
}

/** The output of a command with its lead compacted. */
export const withCompactLead = <A extends { readonly lead: Lead }>(output: A) => {
  const { output: lead, warnings } = compactLead(output.lead)
  return { output: { ...output, lead }, warnings }
}
