/** The approvers of an organization, checked. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Actor } from "../../kernel/command/Actor.ts"
import { type Execution, warn } from "../../kernel/command/Execution.ts"
import type { Approver } from "../../kernel/command/Permission.ts"
import { InvalidEmail, InvalidInput, type StoreFailure } from "../../kernel/failure/failures.ts"
import { normalizeEmail } from "../../kernel/schema/Email.ts"
import { Workspaces } from "../organizations/Workspaces.ts"

/**
 * The approvers with normalized addresses. Fails with INVALID_EMAIL, and with INVALID_INPUT for a user who is named twice;
 * warns of users without a key, who can decide only through a host program.
 */
export const checkedApprovers = Effect.fnUntraced(function* (
  given: ReadonlyArray<Approver> | null | undefined
): Effect.fn.Return<
  ReadonlyArray<Approver> | null | undefined,
  StoreFailure | InvalidEmail | InvalidInput,
  Actor | Workspaces | Execution
> {
  if (given === null || given === undefined) return given
  const { organizationId } = yield* Actor
  const known = new Set((yield* (yield* Workspaces).listKeys(organizationId)).map(({ userId }) => userId))
  const checked: Array<Approver> = []
  for (const [index, { email, user_id }] of given.entries()) {
    if (checked.some((one) => one.user_id === user_id)) {
      return yield* new InvalidInput({ message: `approvers[${index}].user_id repeats a user. Name each user once.` })
    }
    if (!known.has(user_id)) {
      yield* warn(`approvers[${index}]: no key belongs to the user ${user_id}, who can't decide with a key`)
    }
    const read = email === undefined ? undefined : normalizeEmail(email)
    if (read !== undefined && Result.isFailure(read)) {
      return yield* new InvalidEmail({ message: `approvers[${index}].email: ${read.failure.message}` })
    }
    checked.push(read === undefined ? { user_id } : { user_id, email: read.success.address })
  }
  return checked
})
