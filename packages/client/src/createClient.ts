/** The service over HTTP, with the methods of an embedded one. */
import type {
  AnyCommand,
  CommandDescriptor,
  CommandDescriptorWithSchemas,
  ReadResource,
  ResourceEntry
} from "@svc/core"
import * as Names from "@svc/core/names"
import type { CallOptions, Client } from "./Client.ts"
import { methodsOf } from "./CommandTree.ts"
import { SvcError } from "./SvcError.ts"
import { type Call, failed, type Reply, type Service, send } from "./send.ts"

/** Options of {@link createClient}. */
export interface ClientOptions {
  /** The URL of the service, with the path that it is mounted at: `https://example.com/svc`. */
  readonly url: string
  /** An API key. Without one the service must know its caller otherwise, such as by a cookie. */
  readonly key?: string
  /** Default the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** Codes of requests that never reached a command. */
const requestCodes = new Set<string>([
  "UNAUTHENTICATED",
  "KEY_EXPIRED",
  "KEY_REVOKED",
  "FORBIDDEN_HOST",
  "UNKNOWN_RESOURCE",
  "METHOD_NOT_ALLOWED",
  "NOT_ACCEPTABLE",
  "UNSUPPORTED_MEDIA_TYPE",
  "PAYLOAD_TOO_LARGE",
  "PRECONDITION_FAILED",
  "RATE_LIMITED"
])

const errorOf = ({ cause, envelope }: Reply): SvcError | undefined => {
  if (envelope.ok) return undefined
  const error = new SvcError(envelope)
  if (cause !== undefined) error.cause = cause
  return error
}

/** The data of a reply. Throws {@link SvcError} if it has none. */
const dataOf = (reply: Reply): unknown => {
  if (reply.envelope.ok) return reply.envelope.data
  throw errorOf(reply)
}

const invalid = (message: string): Reply => ({ envelope: failed(400, "INVALID_INPUT", message) })

const urlOf = (text: string, base: string | undefined): URL | undefined => {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

const clientChecks: Names.Checks<ClientOptions> = {
  url: Names.required(Names.isText),
  key: Names.must(
    "an API key: printable ASCII characters without spaces",
    (key) => typeof key === "string" && /^[\x21-\x7e]+$/.test(key)
  ),
  fetch: Names.isFunction
}

/** Why options cannot be used; undefined if they can. */
const refused = (what: string, options: unknown, check: Names.Check): Reply | undefined => {
  const problem = check(options, what, true)
  return problem === undefined ? undefined : invalid(problem)
}

const serviceOf = (options: ClientOptions): Service => {
  const wrong = refused("createClient", options, Names.isOptions(clientChecks))
  if (wrong !== undefined) throw errorOf(wrong)
  const { fetch = (request) => globalThis.fetch(request), key, url } = options
  // A page may give a path on its own server.
  const base = (globalThis as { readonly location?: { readonly href: string } }).location?.href
  const parsed = urlOf(url, base)
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.username !== "" || parsed.password !== "")
    throw errorOf(invalid("url must be the URL of the service without a password, e.g. http://127.0.0.1:8787."))
  return { fetch, key, url: parsed.origin + parsed.pathname.replace(/\/+$/, "") }
}

const queryOf = (fields: Readonly<Record<string, unknown>>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? "" : `?${query}`
}

/**
 * A client of a service. It sends nothing until it is called. Throws {@link SvcError} for an invalid `url` or `key` and for an
 * unknown option.
 *
 * Calls wait and retry when they are rate limited. When the service is unreachable or unavailable, only those are retried
 * that read or have an idempotency key.
 */
export const createClient = <Extra extends AnyCommand = never>(options: ClientOptions): Client<Extra> => {
  const service = serviceOf(options)
  const reads = new Map<string, boolean>()
  const commandOf = new WeakMap<SvcError, string>()

  const get = async (path: string, signal?: AbortSignal): Promise<Readonly<Record<string, unknown>>> => {
    const call: Call = { method: "GET", path, signal, repeatable: async () => true }
    return Object(dataOf(await send(service, call)))
  }
  const schema = async (id: string, signal?: AbortSignal) =>
    (await get(`commands/${encodeURIComponent(id)}/schema`, signal))["command"] as CommandDescriptorWithSchemas

  // Only the service knows which commands read. It is asked when that matters first.
  const isRead = async (id: string, signal?: AbortSignal): Promise<boolean> => {
    const known = reads.get(id)
    if (known !== undefined) return known
    try {
      const found = (await schema(id, signal)).risk === "read"
      reads.set(id, found)
      return found
    } catch (error) {
      if (error instanceof SvcError) return false
      throw error
    }
  }

  const run = async (id: string, input: unknown, options: CallOptions = {}): Promise<Reply> => {
    const wrong = refused("options", options, Names.isOptions<CallOptions>(Names.callChecks))
    if (wrong !== undefined) return wrong
    const { dryRun, idempotencyKey, responseProfile, signal } = options
    const json = Names.plainJson(input)
    if ("problem" in json) return invalid(json.problem)
    return send(service, {
      method: "POST",
      path: `commands/${encodeURIComponent(id)}${queryOf({ response_profile: responseProfile, dry_run: dryRun })}`,
      json: JSON.stringify(json.value),
      ...(idempotencyKey === undefined ? {} : { headers: { "idempotency-key": idempotencyKey } }),
      signal,
      repeatable: async () => idempotencyKey !== undefined || (await isRead(id, signal))
    })
  }

  const output = async (id: string, input: unknown, options?: CallOptions): Promise<unknown> => {
    const reply = await run(id, input, options)
    const error = errorOf(reply)
    if (error !== undefined) commandOf.set(error, id)
    if (error !== undefined) throw error
    return dataOf(reply)
  }

  const client = methodsOf(output, {
    commands: {
      run: async (id: string, input: unknown = {}, options?: CallOptions) => (await run(id, input, options)).envelope,
      failed: (id: string, error: unknown) =>
        error instanceof SvcError &&
        commandOf.get(error) === id &&
        !requestCodes.has(error.code) &&
        !error.code.startsWith("HOST_"),
      list: async () => (await get("commands"))["commands"] as ReadonlyArray<CommandDescriptor>,
      schema: (id: string) => schema(id)
    },
    resources: {
      list: async () => (await get("resources"))["resources"] as ReadonlyArray<ResourceEntry>,
      read: async (uri: string, options: CallOptions = {}) => {
        const wrong = refused("options", options, Names.isOptions(Names.readChecks))
        if (wrong !== undefined) throw errorOf(wrong)
        const { responseProfile, signal } = options
        const found = await get(`resources/read${queryOf({ uri, response_profile: responseProfile })}`, signal)
        return found["resource"] as ReadResource["resource"]
      }
    }
  })
  // Methods are made of their names at run time; their precise types are computed from the ids of the catalogue.
  return client as unknown as Client<Extra>
}
