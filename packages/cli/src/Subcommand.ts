/** The type of subcommands of `svc`. */
import type * as Command from "effect/cli/Command"
import type { CliExit } from "./Output.ts"

/** A command with any name and flags. It prints its own errors. */
// biome-ignore lint/suspicious/noExplicitAny: the name is invariant, so commands of several names have no other common type
export type Subcommand = Command.Command<any, never, object, CliExit, Command.Environment>

/** Subcommands under one heading of the help. */
export type SubcommandGroup = Command.Command.SubcommandGroup<ReadonlyArray<Subcommand>>
