/** The kernel: commands, how they are run, and what every room of the product is built from. */
export type { Lease, LeaseRequest, Leases } from "./kernel/background/Worker.ts"
export type { ApprovalRequest } from "./kernel/command/ApprovalRequest.ts"
export {
  ApprovalOutput,
  type Catalog,
  type CommandDescriptor,
  type CommandDescriptorWithSchemas,
  describe,
  describeWithSchemas,
  make as makeCatalog,
  publicCommands,
  publicId,
  unknownCommand
} from "./kernel/command/Catalog.ts"
export type { AnyCommand, AnySchema, Category, InputEncodedOf, OutputOf } from "./kernel/command/Command.ts"
export * as Command from "./kernel/command/Command.ts"
export {
  type Call,
  type Calling,
  type CommandResult,
  Delegation,
  type Representation
} from "./kernel/command/Delegation.ts"
export { Dispatch, layer as dispatchLayer } from "./kernel/command/Dispatch.ts"
export { answers } from "./kernel/command/Effects.ts"
export {
  type Envelope,
  type EnvelopeMeta,
  etagOf,
  type FailureEnvelope,
  failureEnvelope,
  inputHash,
  namesEtag,
  type Precondition
} from "./kernel/command/Envelope.ts"
export {
  Actor,
  type ActorIdentity,
  type ClientInfo,
  clientHeader,
  clientInfo,
  clientOfHeader,
  Execution,
  type ExecutionOptions,
  PublicUrl,
  parseOptions,
  type RawOptions,
  type ResponseProfile
} from "./kernel/command/Execution.ts"
export {
  type ActorKind,
  type ActorMode,
  type CommandPolicy,
  noPolicies,
  type PolicyChange,
  type PolicyLayers,
  type Scope,
  scopeBundles,
  scopes
} from "./kernel/command/Permission.ts"
export { hasScope } from "./kernel/command/Policy.ts"
export { type HookCall, type HookOutcome, RunHooks } from "./kernel/command/Session.ts"
export { codesOf, Failure, type FailureClass, isFailure, Relayed } from "./kernel/failure/Failure.ts"
export * from "./kernel/failure/failures.ts"
export { type FailureCode, failureTable } from "./kernel/failure/failureTable.ts"
export { optionalPackage } from "./kernel/failure/optionalPackage.ts"
export type { EventType, SequencedEvent, StoredEvent, WrittenEvent } from "./kernel/journal/Event.ts"
export {
  type AuditActorKind,
  type IdempotencyRecord,
  type IdempotencyScope,
  type IdempotencyState,
  IsSnapshot,
  JoinsTransaction,
  Journal,
  type JournalEntry,
  Transaction
} from "./kernel/journal/Journal.ts"
export type { AnyResource, ResourceEntry } from "./kernel/resource/Resource.ts"
export * as Resource from "./kernel/resource/Resource.ts"
export {
  layer as resourceReaderLayer,
  type ReadResource,
  ResourceReader,
  readResource
} from "./kernel/resource/ResourceReader.ts"
export { decoder, type StandardSchema, standardInput } from "./kernel/schema/Decode.ts"
export { normalizeEmail } from "./kernel/schema/Email.ts"
export { canonicalJson, constantTimeEqual, hmacBase64Url, sha256Hex } from "./kernel/schema/Hash.ts"
export * from "./kernel/schema/IdsAndTime.ts"
export { StoredJson, writeJson } from "./kernel/schema/Json.ts"
export { type JsonSchema, jsonSchemaOf, publishAs, published } from "./kernel/schema/JsonSchema.ts"
export { nearestName, unknownName } from "./kernel/schema/nearestName.ts"
export {
  CursorSecret,
  cutPage,
  layerSecretRandom,
  NextCursor,
  newestFirst,
  type Page,
  type PageRequest,
  type Position
} from "./kernel/schema/Page.ts"
export { snakeCase, snakeKeys } from "./kernel/schema/snakeCase.ts"
export { decodePercent, isoDateTime, line, nonEmptyLine } from "./kernel/schema/TextFields.ts"
export { isLoopback, parseUrl, quote, visibleText } from "./kernel/schema/TextRules.ts"
export { version } from "./kernel/schema/Version.ts"
export { countDatabaseFailure, countRequest } from "./kernel/telemetry/instruments.ts"
export { isRecorded } from "./kernel/telemetry/tracing.ts"
export { together } from "./kernel/together.ts"
