/** The audit log. */
import { GetAuditHead } from "./commands/GetAuditHead.ts"
import { ListAudit } from "./commands/ListAudit.ts"

/** The commands of this domain. */
export const commands = [ListAudit, GetAuditHead] as const
