/** The request that runs a command. */
import type { RawOptions } from "@svc/core"
import type { ServiceRequest } from "./httpRequest.ts"

/** The request for a command with JSON text as input. The options must be valid. */
export const commandRequest = (id: string, json: string, options: RawOptions = {}): ServiceRequest => {
  const { dry_run, idempotency_key, response_profile } = options
  const query = new URLSearchParams({
    ...(response_profile === undefined ? {} : { response_profile }),
    ...(dry_run === undefined ? {} : { dry_run: String(dry_run) })
  })
  return {
    method: "POST",
    path: `/api/v1/commands/${encodeURIComponent(id)}${query.size === 0 ? "" : `?${query}`}`,
    json,
    headers: idempotency_key === undefined ? {} : { "idempotency-key": idempotency_key }
  }
}
