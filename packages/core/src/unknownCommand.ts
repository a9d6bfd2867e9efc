/** The refusal of a command id that no command has. Source: contract 1.4 (the message ends with the next useful step). */
import type { Catalog } from "./Catalog.ts"
import type { AnyCommand } from "./Command.ts"
import { nearestName } from "./Decode.ts"
import { type Failure, fail } from "./Failure.ts"

/** Names the nearest of the commands that the catalogue lists. */
export const unknownCommand = (catalog: Catalog<AnyCommand>, id: string): Failure => {
  const nearest = nearestName(
    id,
    catalog.commands.filter((command) => command.visibility === "public").map((command) => command.id)
  )
  const guess = nearest === undefined ? "" : ` Did you mean ${nearest}?`
  return fail(
    "UNKNOWN_COMMAND",
    `There is no command with this id.${guess} List the commands with GET /api/v1/commands.`
  )
}
