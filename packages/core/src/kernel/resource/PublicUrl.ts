/** Where people and providers reach this service. */
import * as Context from "effect/Context"

/** The URL of the service without a slash at its end; undefined when there is none. */
export const PublicUrl: Context.Reference<() => string | undefined> = Context.Reference<() => string | undefined>(
  "@svc/core/PublicUrl",
  { defaultValue: () => () => undefined }
)
