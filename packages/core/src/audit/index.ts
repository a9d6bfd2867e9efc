/** Who did what: rows that cannot be changed unnoticed. */
import { ListAudit } from "./commands/ListAudit.ts"

export { AuditLog } from "./AuditLog.ts"
export { restCommands } from "./rest.ts"
export { type AuditVerdict, verifyAudit } from "./verifyAudit.ts"

/** The commands of this domain. */
export const commands = [ListAudit] as const
