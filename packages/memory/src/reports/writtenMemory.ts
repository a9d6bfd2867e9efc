/** What works in a mission, counted from scratch. */

import type { LeadId } from "@svc/core"
import { compareText, isPositive, writerOf } from "@svc/core/internal"
import type { MissionRow } from "@svc/core/missions"
import type { DraftRow, EmailRow } from "@svc/core/outreach"
import type { ActivityWindow, WrittenGroup } from "@svc/core/reports"
import * as Arr from "effect/Array"
import { leadMessages } from "../leads/LeadTables.ts"
import type { Tables } from "../MemoryStore.ts"
import { countedStatus } from "../missions/MissionsMemory.ts"
import { drafts, transmissions } from "../outreach/LinkedInTables.ts"

/** E-mails that were sent for a mission. */
export const emailsOfMissions = (tables: Tables): ReadonlyArray<EmailRow> =>
  tables
    .where(transmissions, (row) => row.kind === "email")
    .filter(({ missionId, state }) => missionId !== null && state === "sent")

/** Something that was written for the mission, and sent. */
interface Written {
  readonly id: string
  readonly leadId: LeadId
  readonly at: string
  readonly isInvitation: boolean
  readonly steps: string | null
  readonly variations: string | null
  readonly writers: string
  readonly isAnswered: boolean
  readonly isPositive: boolean
}

const textOf = (number: number | null | undefined): string | null => (number == null ? null : String(number))

const aboutOf = ({ followUp, steps }: Pick<DraftRow, "followUp" | "steps">, selectedIndex: number | null) => ({
  steps: textOf(followUp?.step),
  variations: textOf(selectedIndex),
  writers: writerOf(steps),
  ...{ isInvitation: false, isAnswered: false, isPositive: false }
})

// Of drafts that a person recorded as the same message, the first one.
const isSame = (a: Written, b: Written) => a.id === b.id

const messagesOf = (tables: Tables, missionId: string): ReadonlyArray<Written> =>
  Arr.dedupeWith(
    [
      ...tables
        .where(drafts, (row) => row.missionId === missionId)
        .toSorted((a, b) => compareText(a.id, b.id))
        .flatMap((draft): ReadonlyArray<Written> => {
          const message = tables.get(leadMessages, draft.messageId)
          if (message === undefined) return []
          return [{ id: message.id, leadId: message.leadId, at: message.date, ...aboutOf(draft, draft.selectedIndex) }]
        }),
      ...emailsOfMissions(tables).flatMap((email): ReadonlyArray<Written> => {
        const { id, leadId, sentAt } = email
        return email.missionId === missionId && sentAt !== null
          ? [{ id, leadId, at: sentAt, ...aboutOf(email, null) }]
          : []
      })
    ],
    isSame
  )

const invitationsOf = (tables: Tables, missionId: string): ReadonlyArray<Written> =>
  tables.all(transmissions).flatMap((row): ReadonlyArray<Written> => {
    const draft = row.kind === "invitation" ? tables.get(drafts, row.draftId) : undefined
    if (draft?.missionId !== missionId || row.sentAt === null) return []
    const { id, leadId, sentAt: at } = row
    const about = aboutOf(draft, draft.selectedIndex)
    return [{ ...about, id, leadId, at, isInvitation: true, isAnswered: row.state === "accepted" }]
  })

/** The messages to a person, the credited one with what the person did. */
const credited = (messages: ReadonlyArray<Written>, replies: ReadonlyArray<string>, isLeadPositive: boolean) => {
  const sorted = messages.toSorted((a, b) => compareText(a.at, b.at) || compareText(a.id, b.id))
  const reply = replies.toSorted().find((at) => at > (sorted[0]?.at ?? ""))
  const last = sorted.findLast(({ at }) => reply === undefined || at < reply)
  return sorted.map((one) =>
    one === last ? { ...one, isAnswered: reply !== undefined, isPositive: isLeadPositive } : one
  )
}

/** The groups by one value: people are counted once in each. */
const groupsBy = (by: WrittenGroup["by"], written: ReadonlyArray<Written>): ReadonlyArray<WrittenGroup> =>
  Object.values(Arr.groupBy(written, (one) => String(one[by]))).map((group) => {
    const messages = group.filter(({ isInvitation }) => !isInvitation)
    const invitations = group.filter(({ isInvitation }) => isInvitation)
    const people = (which: (one: Written) => boolean) =>
      new Set(messages.filter(which).map(({ leadId }) => leadId)).size
    return {
      ...{ by, value: group[0][by], sent: messages.length, invited: invitations.length },
      accepted: invitations.filter(({ isAnswered }) => isAnswered).length,
      contacted: people(() => true),
      replied: people((one) => one.isAnswered),
      positive: people((one) => one.isPositive)
    }
  })

/** What works in a mission. */
export const writtenIn = (
  tables: Tables,
  { id }: Pick<MissionRow, "id">,
  { from = "", to }: ActivityWindow
): ReadonlyArray<WrittenGroup> => {
  const statusOf = countedStatus(tables)
  const replies = Arr.groupBy(
    tables.where(leadMessages, ({ direction }) => direction === "inbound"),
    ({ leadId }) => leadId
  )
  const messages = Object.values(Arr.groupBy(messagesOf(tables, id), ({ leadId }) => leadId)).flatMap((sent) => {
    const { leadId } = sent[0]
    const answers = (replies[leadId] ?? []).map(({ date }) => date)
    return credited(sent, answers, isPositive(statusOf(leadId)))
  })
  const written = [...messages, ...invitationsOf(tables, id)].filter(
    ({ at }) => at >= from && (to === undefined || at < to)
  )
  return (["steps", "variations", "writers"] as const).flatMap((by) => groupsBy(by, written))
}
