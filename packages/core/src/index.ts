/** The kernel: commands, how they are run, and what every room of the product is built from. */
export { type DueKind, DueWork } from "./kernel/background/DueWork.ts"
export type { Lease, LeaseRequest, Leases } from "./kernel/background/Worker.ts"
export type { ApprovalRequest } from "./kernel/command/ApprovalRequest.ts"
export {
  type Catalog,
  type CommandDescriptor,
  type CommandDescriptorWithSchemas,
  describeWithSchemas,
  make as makeCatalog,
  publicCommands,
  publicId,
  unknownCommand
} from "./kernel/command/Catalog.ts"
export type { AnyCommand, AnySchema, Category, InputEncodedOf, OutputOf } from "./kernel/command/Command.ts"
export * as Command from "./kernel/command/Command.ts"
export type { Call, Calling, CommandResult, Representation } from "./kernel/command/Delegation.ts"
export { Dispatch } from "./kernel/command/Dispatch.ts"
export { answers, isForModels } from "./kernel/command/Effects.ts"
export type { Envelope, EnvelopeMeta, FailureEnvelope, Precondition } from "./kernel/command/Envelope.ts"
export {
  Actor,
  type ActorIdentity,
  type ClientInfo,
  clientInfo,
  Execution,
  type ExecutionOptions,
  parseOptions,
  type RawOptions,
  type ResponseProfile
} from "./kernel/command/Execution.ts"
export {
  type ActorKind,
  type ActorMode,
  type CommandPolicy,
  type PolicyChange,
  type PolicyLayers,
  type Scope,
  scopeBundles,
  scopes
} from "./kernel/command/Permission.ts"

export type { HookCall, HookOutcome } from "./kernel/command/Session.ts"
export { Failure, type FailureClass, HostRefusal, Relayed } from "./kernel/failure/Failure.ts"
export * from "./kernel/failure/failures.ts"
export { type FailureCode, failureTable, type HostCode, type HostStatus } from "./kernel/failure/failureTable.ts"
export { optionalPackage } from "./kernel/failure/optionalPackage.ts"
export type { EventType, SequencedEvent, StoredEvent, WrittenEvent } from "./kernel/journal/Event.ts"
export {
  type AuditActorKind,
  type IdempotencyRecord,
  type IdempotencyScope,
  type IdempotencyState,
  JoinsTransaction,
  Journal,
  type JournalEntry,
  Transaction
} from "./kernel/journal/Journal.ts"
export type { AnyResource, ResourceEntry } from "./kernel/resource/Resource.ts"
export * as Resource from "./kernel/resource/Resource.ts"
export { type ReadResource, ResourceReader, readResource } from "./kernel/resource/ResourceReader.ts"
export type { StandardSchema } from "./kernel/schema/Decode.ts"

export { constantTimeEqual, sha256Hex } from "./kernel/schema/Hash.ts"
export * from "./kernel/schema/IdsAndTime.ts"
export { writeJson } from "./kernel/schema/Json.ts"
export { type JsonSchema, jsonSchemaOf } from "./kernel/schema/JsonSchema.ts"
export { didYouMean, nearestName } from "./kernel/schema/nearestName.ts"
export { CursorSecret, cutPage, type Page, type PageRequest, type Position } from "./kernel/schema/Page.ts"
export { snakeKeys } from "./kernel/schema/snakeCase.ts"
export { line } from "./kernel/schema/TextFields.ts"
export { decodePercent, isLoopback, parseUrl, quote } from "./kernel/schema/TextRules.ts"
export { version } from "./kernel/schema/Version.ts"

export { together } from "./kernel/together.ts"
