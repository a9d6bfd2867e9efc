/** Flags that many commands share. */
import * as Flag from "effect/cli/Flag"

/** A flag that is either there or not. */
export const toggle = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

/** `--json`. */
export const json = toggle("json", "Print exactly one JSON value on stdout, on failure too")

/** `--base-url`. */
export const baseUrl = Flag.String("base-url").pipe(
  Flag.withDescription("Address of the service; SVC_BASE_URL, then the owner of ./.svc, then the database itself"),
  Flag.optional
)
