/** Messages and invitations in one list, oldest first. Source: catalogue 4.1 linkedin.queue.list. */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import type { Failure } from "../Failure.ts"
import { cutPage, type Page, type PageRequest } from "../Page.ts"
import { now } from "../Time.ts"
import { DraftQueueState } from "./DraftStatus.ts"
import { InvitationState } from "./invitations/Invitation.ts"
import { entryOf, invitationEntryOf, type QueueEntry, type QueueState } from "./QueueEntry.ts"
import { QueueRepo } from "./QueueRepo.ts"
import { SendOptions } from "./SendOptions.ts"

/** Which queue items. */
export interface QueueListFilter {
  readonly accountId: string | undefined
  readonly states: ReadonlyArray<typeof QueueState.Type>
  readonly kind: "message" | "invitation" | undefined
}

/** Ids are made in the order of time; what is before their first underscore says only what they are of. */
const ageOf = (id: string): string => id.slice(id.indexOf("_") + 1)

const nothing = { items: [], next: undefined }

/** A page of the queue, as it is shown now. Items of no state are none. */
export const listQueue = Effect.fnUntraced(function* (
  { accountId, kind, states }: QueueListFilter,
  { after, limit }: PageRequest
): Effect.fn.Return<Page<QueueEntry>, Failure, Actor | QueueRepo> {
  const { organizationId } = yield* Actor
  const { pacing } = yield* SendOptions
  const queue = yield* QueueRepo
  const from = (prefix: string): PageRequest => ({
    after: after === undefined ? undefined : [`${prefix}_${String(after[0])}`],
    limit
  })
  const ofMessages = DraftQueueState.literals.filter((state) => states.includes(state))
  const ofInvitations = InvitationState.literals.filter((state) => states.includes(state))
  const messages =
    kind === "invitation" || ofMessages.length === 0
      ? nothing
      : yield* queue.list(organizationId, { accountId, states: ofMessages }, from("que"))
  const invitations =
    kind === "message" || ofInvitations.length === 0
      ? nothing
      : yield* queue.invitations.list(organizationId, { accountId, states: ofInvitations }, from("inv"))
  const at = yield* now
  const entries = [
    ...messages.items.map((one) => entryOf(one, at, pacing)),
    ...invitations.items.map((one) => invitationEntryOf(one, at, pacing))
  ].toSorted((a, b) => (ageOf(a.queue_id) < ageOf(b.queue_id) ? -1 : 1))
  const page = cutPage(entries, limit, ({ queue_id }) => [ageOf(queue_id)])
  const isCut = messages.next !== undefined || invitations.next !== undefined
  // Each list was cut to the page by itself, so both together may end where one of them does not.
  const last = page.items.at(-1)
  return isCut && page.next === undefined && last !== undefined ? { ...page, next: [ageOf(last.queue_id)] } : page
})
