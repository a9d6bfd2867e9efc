/** Execution options of a request: two query parameters and one header. */

import { type ExecutionOptions, type Failure, parseOptions } from "@svc/core"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type * as Result from "effect/Result"
import type { Query } from "./RequestTarget.ts"

/** Query parameters of reads. */
export const readParameters = ["response_profile"] as const

/** Query parameters of writes. */
export const writeParameters = ["response_profile", "dry_run"] as const

/** The execution options of a request. Fails with INVALID_INPUT naming the allowed values. */
export const requestOptions = (request: HttpServerRequest, query: Query): Result.Result<ExecutionOptions, Failure> =>
  parseOptions({
    response_profile: query.get("response_profile"),
    dry_run: query.get("dry_run"),
    idempotency_key: request.headers["idempotency-key"]
  })
