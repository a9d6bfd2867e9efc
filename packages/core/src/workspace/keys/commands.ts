/** API keys: creating, rotating and revoking them. */
import { CreateKey } from "./commands/CreateKey.ts"
import { ListKeys } from "./commands/ListKeys.ts"
import { RevokeKey } from "./commands/RevokeKey.ts"
import { RotateKey } from "./commands/RotateKey.ts"

/** The commands of this domain. */
export const commands = [ListKeys, CreateKey, RotateKey, RevokeKey] as const
