/** Reading pages of e-mails. */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import { readPage } from "../Page.ts"
import { emailOf } from "./Email.ts"
import { type EmailFilter, EmailsRepo } from "./EmailsRepo.ts"

/** A page of e-mails, newest first. */
export const listEmails = Effect.fnUntraced(function* (
  list: string,
  filter: EmailFilter,
  input: { readonly cursor?: string; readonly limit: number }
) {
  const { organizationId } = yield* Actor
  const repo = yield* EmailsRepo
  const page = yield* readPage(organizationId, list, input, (request) => repo.list(organizationId, filter, request))
  return { items: page.items.map(emailOf), next_cursor: page.nextCursor }
})
