import type { AnyResource, Command } from "@svc/core"
import type { Commands } from "@svc/core/commands"

/** A command of a host. It may use every service that the product's commands use. */
export type HostCommand = Command.Command<
  string,
  Command.AnySchema,
  Command.AnySchema,
  Command.Provided | Command.RequirementsOf<Commands>
>

/** A resource of a host. */
export type HostResource = Omit<AnyResource, "command"> & { readonly command: HostCommand }
