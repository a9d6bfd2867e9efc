/** The command `svc` with what a command line needs below it. */
import * as Command from "effect/cli/Command"
import { roomsFor } from "./rooms.ts"

/** The tree for the arguments after `svc`; without any, the whole tree. */
export const svcTree = async (args: ReadonlyArray<string>) =>
  Command.make("svc").pipe(
    Command.withDescription(
      "Outreach workspace: offers, leads, missions and LinkedIn drafts, reviewed and sent safely"
    ),
    Command.withSubcommands(await roomsFor(args))
  )
