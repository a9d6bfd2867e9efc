/** API keys: making, renewing and ending them. */
import { CreateKey } from "./commands/CreateKey.ts"
import { ListKeys } from "./commands/ListKeys.ts"
import { RevokeKey } from "./commands/RevokeKey.ts"
import { RotateKey } from "./commands/RotateKey.ts"

export { OverlapSeconds } from "./commands/RotateKey.ts"
export { KeyIdText } from "./KeyView.ts"
export { restCommands } from "./rest.ts"

/** The commands of this domain. */
export const commands = [ListKeys, CreateKey, RotateKey, RevokeKey] as const
