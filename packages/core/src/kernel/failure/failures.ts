/** The shared failures: of inputs, requests, rights, stores and runs. Rooms have their own `failures.ts`. */
import type * as Effect from "effect/Effect"
import type { OrganizationId } from "../schema/IdsAndTime.ts"
import { quote } from "../schema/TextRules.ts"
import { Failure } from "./Failure.ts"

export class InvalidJson extends Failure.define("INVALID_JSON") {}
export class InvalidInput extends Failure.define("INVALID_INPUT") {}
export class UnknownField extends Failure.define("UNKNOWN_FIELD") {}
export class InvalidCursor extends Failure.define("INVALID_CURSOR") {}
export class InvalidEmail extends Failure.define("INVALID_EMAIL") {}

/** The HTTP surface refuses a request before its command is known. */
export class MethodNotAllowed extends Failure.define("METHOD_NOT_ALLOWED") {}
export class NotAcceptable extends Failure.define("NOT_ACCEPTABLE") {}
export class UnsupportedMediaType extends Failure.define("UNSUPPORTED_MEDIA_TYPE") {}
export class PayloadTooLarge extends Failure.define("PAYLOAD_TOO_LARGE") {}
export class ForbiddenHost extends Failure.define("FORBIDDEN_HOST") {}
export class RateLimited extends Failure.define("RATE_LIMITED") {}
export class PreconditionFailed extends Failure.define("PRECONDITION_FAILED") {}

export class Unauthenticated extends Failure.define("UNAUTHENTICATED") {}
export class KeyExpired extends Failure.define("KEY_EXPIRED") {}
export class KeyRevoked extends Failure.define("KEY_REVOKED") {}
export class ForbiddenScope extends Failure.define("FORBIDDEN_SCOPE") {}
export class ApprovalPolicy extends Failure.define("APPROVAL_POLICY") {}

export class UnknownCommand extends Failure.define("UNKNOWN_COMMAND") {}
export class UnknownResource extends Failure.define("UNKNOWN_RESOURCE") {}
export class IdempotencyMismatch extends Failure.define("IDEMPOTENCY_MISMATCH") {}
export class IdempotencyInProgress extends Failure.define("IDEMPOTENCY_IN_PROGRESS") {}
export class Internal extends Failure.define("INTERNAL") {}

/** Not found, or in another organization: the message is the same. `kind` is a noun such as "lead". */
export class NotFound extends Failure.define("NOT_FOUND")<{ readonly kind: string; readonly id?: string }> {
  override get message(): string {
    const subject = this.id === undefined ? this.kind : `${this.kind} ${quote(this.id)}`
    return `${subject.charAt(0).toUpperCase()}${subject.slice(1)} not found. Check the id, or list what exists.`
  }
}

/** The object's current state does not allow this. */
export class WrongState extends Failure.define("WRONG_STATE") {}

/** The content is not the one that was read. */
export class ContentChanged extends Failure.define("CONTENT_CHANGED") {}

/** Another record has the handle. */
export class DuplicateHandle extends Failure.define("DUPLICATE_HANDLE")<{ readonly handle: string }> {}

/** The id is used for an object with different content. */
export class DuplicateId extends Failure.define("DUPLICATE_ID")<{ readonly id: string }> {}

export class VersionConflict extends Failure.define("VERSION_CONFLICT") {}
export class Unavailable extends Failure.define("UNAVAILABLE") {}

/** A statement of this request, or its wait for a lock, took too long, and was undone. Other requests are not affected. */
export class StatementTimeout extends Failure.define("STATEMENT_TIMEOUT") {}

/** How any store can fail: it is unreachable or slow, or another write came first. Anything else unexpected is a defect. */
export type StoreFailure = Unavailable | StatementTimeout | VersionConflict

/** What a method of a store returns: an effect that can fail like any store, and with `E`. */
export type StoreEffect<A, E = never> = Effect.Effect<A, E | StoreFailure>

/** A method of a store that sees one organization only: it returns `A`, and can fail like any store, and with `E`. */
export type StoreMethod<Args extends ReadonlyArray<unknown>, A, E = never, R = never> = (
  organizationId: OrganizationId,
  ...args: Args
) => Effect.Effect<A, E | StoreFailure, R>

/** Commands do not declare these. */
export const commonFailures = [
  InvalidJson,
  InvalidInput,
  UnknownField,
  UnknownCommand,
  ForbiddenScope,
  ApprovalPolicy,
  IdempotencyMismatch,
  IdempotencyInProgress,
  VersionConflict,
  Unavailable,
  StatementTimeout,
  Internal
] as const

/** One of {@link commonFailures}. */
export type CommonFailure = InstanceType<(typeof commonFailures)[number]>
