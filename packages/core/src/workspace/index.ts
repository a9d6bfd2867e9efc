/** Organizations, keys, approvals, audit and events: the public names of the room. */
export { type ApprovalRow, type ApprovalState, expiredRow, newApprovalRow, stateAt } from "./approvals/ApprovalRow.ts"
export * as ExpiryWorker from "./approvals/expireRequests.ts"
export {
  type AuditFilter,
  type AuditRecord,
  type ChainHead,
  type ChainStart,
  deletableBefore,
  emptyChain,
  headText,
  parseHead,
  type SealedRecord,
  seal,
  wholeChain
} from "./audit/AuditRecord.ts"
export * as SealWorker from "./audit/SealWorker.ts"
export { verifyAudit } from "./audit/verifyAudit.ts"
export {
  type ClientDocument,
  ClientDocuments,
  type Consent,
  GrantRefused,
  Grants,
  layer as grantsLayer
} from "./authorization/Grants.ts"
export type { Tokens } from "./authorization/tokens.ts"
export { feedPage } from "./events/EventFeed.ts"
export { viewOf } from "./keys/KeyView.ts"
export { type ApiKey, generateKey, type KeySecret, type KeySession, parseKey } from "./organizations/ApiKey.ts"
export { Authentication, layer as authenticationLayer } from "./organizations/Authentication.ts"
export type { OperatorNeeds } from "./organizations/asOperator.ts"
export { ensureExternal, issueHostKey } from "./organizations/hostOperations.ts"
export * as PolicyCache from "./organizations/PolicyCache.ts"
export {
  bootstrap,
  createKey,
  createOrganization,
  ensureOrganization,
  type IssuedKey,
  issueKey,
  parseScopes,
  revokeKey,
  rotateKey
} from "./organizations/Provisioning.ts"
export {
  type Deleted,
  type DeletedKind,
  Retention,
  type RetentionDays,
  type RetentionKind,
  retentionKinds
} from "./retention/Retention.ts"
export * as RetentionWorker from "./retention/RetentionWorker.ts"
export type { Identity, Membership, Right } from "./sessions/Identity.ts"
export { createSignInLink, layer as signInLayer, SignIn } from "./sessions/SignIn.ts"
export { type Approvals, type AuditLog, type EventFeed, type Organization, Workspaces } from "./Workspaces.ts"
