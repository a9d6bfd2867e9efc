import { SvcError } from "@svc/client"
import type { HostCode, HostStatus } from "@svc/core"
import { badDefinition } from "./defineCommand.ts"

/** What a refusal by a host may be. */
export const isRefusal = (code: unknown, status: unknown): boolean =>
  /^HOST_[A-Z0-9_]{1,58}$/.test(String(code)) && [400, 403, 404, 409].some((known) => known === status)

/**
 * An error with which a hook or a command of a host refuses a run, with a code of its own on every surface:
 * `throw refusal("HOST_DEAL_OPEN", "The deal is open. Close it first.", 409)`. Throws {@link SvcError} INVALID_INPUT for another
 * code or status.
 */
export const refusal = <Code extends HostCode>(
  code: Code,
  message: string,
  status: HostStatus = 403
): SvcError<Code> => {
  if (!isRefusal(code, status))
    throw badDefinition("refusal: code must be HOST_ and upper-case words joined by _, status 400, 403, 404 or 409.")
  const { envelope } = badDefinition(message)
  return new SvcError({ ...envelope, status, error: { code, message } })
}
