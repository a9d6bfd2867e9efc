/**
 * Tool names: the command's id with `_` for `.`, because some clients reject dots. Ids never contain `_`, so a name maps
 * back to its id.
 */

/** The tool name of a command id: `linkedin_draft_create`. */
export const toolNameOf = (id: string): string => id.replaceAll(".", "_")

/** The command id of a tool name or dotted id. */
export const commandIdOf = (name: string): string => name.replaceAll("_", ".")
