/** The command `svc`. */
import * as Command from "effect/cli/Command"
import type { SubcommandGroup } from "./Subcommand.ts"

/** `svc` with these subcommands. */
export const svcTree = (groups: ReadonlyArray<SubcommandGroup>) =>
  Command.make("svc").pipe(
    Command.withDescription(
      "Outreach workspace: offers, leads, missions and LinkedIn drafts, reviewed and sent safely"
    ),
    Command.withSubcommands(groups)
  )
