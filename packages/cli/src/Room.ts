/** A part of the command line, as the tree of commands holds it. */
import type * as Command from "effect/cli/Command"
import type { CliExit } from "./Output.ts"

/** A command of whatever name and flags that has said why when it fails. */
// biome-ignore lint/suspicious/noExplicitAny: the name is invariant, so commands of several names have no other common type
export type Room = Command.Command<any, never, object, CliExit, Command.Environment>
