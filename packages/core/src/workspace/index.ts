/** Organizations, keys, approvals, audit and events: the public names of the room. */
export { type ApprovalRow, type ApprovalState, newApprovalRow } from "./approvals/ApprovalRow.ts"
export {
  type AuditFilter,
  type AuditRecord,
  type ChainHead,
  type ChainStart,
  deletableBefore,
  emptyChain,
  type SealedRecord,
  seal,
  wholeChain
} from "./audit/AuditRecord.ts"
export * as SealWorker from "./audit/SealWorker.ts"

export { type ClientDocument, ClientDocuments, type Consent, Grants } from "./authorization/Grants.ts"
export type { Tokens } from "./authorization/tokens.ts"
export { feedPage } from "./events/EventFeed.ts"

export type { ApiKey, KeySecret, KeySession } from "./organizations/ApiKey.ts"
export { Authentication } from "./organizations/Authentication.ts"
export type { OperatorNeeds } from "./organizations/asOperator.ts"

export { bootstrap, createOrganization, type IssuedKey } from "./organizations/Provisioning.ts"
export { layer as recentRightsLayer } from "./organizations/RecentRights.ts"
export * from "./retention/Retention.ts"
export * as RetentionWorker from "./retention/RetentionWorker.ts"
export type { Identity, Membership, Right } from "./sessions/Identity.ts"
export { SignIn } from "./sessions/SignIn.ts"
export { type Approvals, type AuditLog, type EventFeed, type Organization, Workspaces } from "./Workspaces.ts"
