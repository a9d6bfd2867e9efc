/** Reading pages of e-mails. */
import * as Effect from "effect/Effect"
import { Actor } from "../kernel/command/Actor.ts"
import { readPage } from "../kernel/schema/Page.ts"
import { refuseUnknownMission } from "../missions/refuseUnknownMission.ts"
import { type TransmissionFilter, TransmissionsRepo } from "../outreach/transmission/TransmissionsRepo.ts"
import { isOfKind } from "../outreach/transmission/TransmissionView.ts"
import { emailOf } from "./Email.ts"

/** A page of e-mails, newest first. Fails with INVALID_CURSOR, and with NOT_FOUND for a mission that is not there. */
export const listEmails = Effect.fnUntraced(function* (
  name: string,
  filter: Omit<TransmissionFilter, "kinds" | "order">,
  input: { readonly cursor?: string; readonly limit: number }
) {
  const { organizationId } = yield* Actor
  const { list } = yield* TransmissionsRepo
  const page = yield* readPage(organizationId, name, input, (request) =>
    list(organizationId, { ...filter, kinds: ["email"], order: "newest" }, request)
  )
  yield* refuseUnknownMission(filter.mission, page.items)
  return { items: page.items.filter(isOfKind("email")).map(emailOf), next_cursor: page.nextCursor }
})
