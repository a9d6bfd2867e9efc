/**
 * The service that an agent's process is a client of: found at the first call, and again after it went away.
 *
 * Source: contract 2 and 7 ("svc mcp with SVC_BASE_URL is a client of that server; without a key it still speaks
 * JSON-RPC and every call says which command to run").
 */
import type { EnvelopeMeta } from "@svc/core/Envelope"
import { type Failure, fail } from "@svc/core/Failure"
import type { Environment } from "@svc/embed/Settings"
import { isObject } from "@svc/mcp/JsonRpc"
import { type Told, toldOf, type Workspace } from "@svc/mcp/Workspace"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Ask } from "../ask.ts"
import { findTarget } from "../findTarget.ts"
import type { Reply, Target } from "../Target.ts"
import { openShared } from "./openShared.ts"

const noKey = fail(
  "UNAUTHENTICATED",
  "This svc has no API key. Make one with: svc keys create --org ID --actor-kind AI_AGENT, then run svc login with it, or keep " +
    "it in a file of mode 0600 and set SVC_API_KEY_FILE to its path in this server's entry of your client."
)

const metaOf = (meta: unknown): EnvelopeMeta | undefined =>
  isObject(meta)
    ? {
        approval_required: meta["approval_required"] === true,
        approval_request_id: String(meta["approval_request_id"] ?? ""),
        command_hash: String(meta["command_hash"] ?? ""),
        warnings: Array.isArray(meta["warnings"]) ? meta["warnings"].map(String) : []
      }
    : undefined

/** What a reply over HTTP tells. */
const toldBy = ({ body, status }: Reply): Told => {
  const { data, error, meta } = isObject(body) ? body : {}
  if (isObject(error)) {
    const { code, message } = error
    return { ok: false, status, error: { code: String(code), message: String(message) }, meta: metaOf(meta) }
  }
  if (status < 400 && data !== undefined) return { ok: true, status, data, meta: metaOf(meta) }
  return toldOf(fail("UNAVAILABLE", `The service answered ${status} without a reason. Try again, or look at its log.`))
}

/** How long an opened folder or connection is worth: until it fails once. */
interface Found {
  readonly target: Target
  readonly scope: Scope.Closeable
}

/** The workspace behind an environment. What it opened is closed with the scope. */
export const targetWorkspace = (
  environment: Environment,
  baseUrl: string | undefined
): Effect.Effect<Workspace, never, Scope.Scope> =>
  Effect.gen(function* () {
    const one = yield* Semaphore.make(1)
    let found: Found | undefined
    const forget = Effect.suspend(() => {
      const gone = found
      found = undefined
      return gone === undefined ? Effect.void : Scope.close(gone.scope, Exit.void)
    })
    yield* Effect.addFinalizer(() => forget)

    const find: Effect.Effect<Target, Failure> = Semaphore.withPermits(
      one,
      1
    )(
      Effect.gen(function* () {
        if (found !== undefined) return found.target
        const scope = yield* Scope.make()
        const target = yield* findTarget(environment, baseUrl, openShared).pipe(
          Scope.provide(scope),
          Effect.tapError(() => Scope.close(scope, Exit.void))
        )
        found = { target, scope }
        return target
      })
    )

    const ask = (asked: Ask): Effect.Effect<Told> =>
      Effect.flatMap(find, (target) => {
        if (target.key === undefined) return Effect.fail(noKey)
        return Effect.tapError(target.ask(asked), () => (target.place.kind === "embedded" ? Effect.void : forget))
      }).pipe(
        Effect.map(toldBy),
        Effect.catch((failure) => Effect.succeed(toldOf(failure)))
      )

    return {
      run: ({ command, input, options }) => {
        const { dry_run, idempotency_key, response_profile } = options
        const query = new URLSearchParams({
          ...(response_profile === undefined ? {} : { response_profile }),
          ...(dry_run === undefined ? {} : { dry_run: String(dry_run) })
        })
        const path = `/api/v1/commands/${encodeURIComponent(command)}${query.size === 0 ? "" : `?${query}`}`
        if (idempotency_key !== undefined && !/^[\x20-\x7e]{1,255}$/.test(idempotency_key)) {
          return Effect.succeed(
            toldOf(fail("INVALID_INPUT", "Idempotency-Key must be 1 to 255 printable ASCII characters."))
          )
        }
        const headers = idempotency_key === undefined ? {} : { "idempotency-key": idempotency_key }
        return ask({ method: "POST", path, json: JSON.stringify(input), headers })
      },
      read: ({ profile, uri }) => {
        const query = new URLSearchParams({ uri, ...(profile === undefined ? {} : { response_profile: profile }) })
        return ask({ method: "GET", path: `/api/v1/resources/read?${query}` })
      }
    }
  })
