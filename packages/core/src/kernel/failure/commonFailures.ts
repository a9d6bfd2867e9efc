/** The failures that any command may end with: those of Dispatch and of the stores. */
import {
  ApprovalPolicy,
  ForbiddenScope,
  IdempotencyInProgress,
  IdempotencyMismatch,
  Internal,
  InvalidInput,
  InvalidJson,
  Unavailable,
  UnknownCommand,
  UnknownField,
  VersionConflict
} from "./failures.ts"

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
  Internal
] as const

/** One of {@link commonFailures}. */
export type CommonFailure = InstanceType<(typeof commonFailures)[number]>
