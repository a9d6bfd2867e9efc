/**
 * Names of tools: the command's id with `_` for `.`. Ids never hold `_`, so a name leads back to its id, and clients that
 * refuse dots show every tool. Source: contract 1.7.
 */

/** The tool name of a command id: `linkedin_draft_create`. */
export const toolNameOf = (id: string): string => id.replaceAll(".", "_")

/** The command id that a caller means by a tool's name: the name itself, or the dotted id. */
export const commandIdOf = (name: string): string => name.replaceAll("_", ".")
