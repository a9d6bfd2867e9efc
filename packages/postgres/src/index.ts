/** The repositories on PostgreSQL and on the embedded database. */

export * as AutoAnalyze from "./AutoAnalyze.ts"
export { backupDatabase, type Manifest, readBackup, restoreDatabase } from "./backup.ts"
export {
  Database,
  type DatabaseServices,
  type HostConnections,
  type HostDatabase,
  layer as databaseLayer
} from "./Database.ts"
export * from "./DatabaseUrl.ts"
export { distributeDatabase } from "./distributeDatabase.ts"
export { describeOwner, type Owner, readOwner } from "./FolderLock.ts"
export { HostConnection } from "./HostConnection.ts"
export * as Migrator from "./Migrator.ts"
export { moveDatabase } from "./moveDatabase.ts"
export * as SendingHoldPg from "./outreach/SendingHoldPg.ts"
export { hasDatabase } from "./PgliteFolder.ts"
export { type TableSize, tableSizes } from "./reports/storage.ts"
export * as Repositories from "./repositories.ts"
export { requireReady } from "./Server.ts"
export { recentOutages } from "./SqlFailure.ts"
export { requirePrivileges, serviceRoleSql } from "./serviceRole.ts"
export { databaseIdentity, inHostTransaction } from "./TransactionPg.ts"
export * as DeploymentKeys from "./workspace/DeploymentKeys.ts"
export { requireKeys } from "./workspace/DeploymentSecrets.ts"
export { parseDeploymentKeys } from "./workspace/parseDeploymentKeys.ts"
