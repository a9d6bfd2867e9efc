/**
 * One workspace behind one surface, for running the same steps through each.
 *
 * Every workspace is its own, in memory, with the sample data and ids counted from one, so the same steps give the same
 * answers down to the ids; only instants, cursors and the simulated provider's ids differ.
 */
import { createServer } from "node:http"
import { type Client, createClient, SvcError } from "@svc/client"
import { createSvc, type HostActor } from "@svc/embed"
import { type ActorKind, type ActorMode, type Scope, scopes } from "#core/kernel/command/Permission.ts"
import { type FailureCode, failureTable } from "#core/kernel/failure/failureTable.ts"
import { Ids } from "#core/kernel/schema/IdsAndTime.ts"
import { createKey } from "#core/workspace/organizations/Provisioning.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { oneJson } from "../support/svcProcess.ts"

/** Who acts in a step. `nobody` sends no key. */
export type Who = "owner" | "reader" | "drafter" | "assistant" | "stranger" | "nobody"

/** One step: a command to run, or a resource to read. */
export interface Step {
  readonly command?: string
  readonly resource?: string
  readonly input?: unknown
  readonly as?: Who
  readonly compact?: boolean
  readonly dryRun?: boolean
  readonly idempotencyKey?: string
}

/** What a step came to: the HTTP status, and the body as HTTP would send it. */
export interface Outcome {
  readonly status: number
  readonly body: unknown
}

/** A surface. */
export interface Surface {
  readonly name: string
  /** Undefined for a step that the surface cannot express. */
  readonly run: (step: Step) => Promise<Outcome | undefined>
  readonly close: () => Promise<void>
}

interface Identity {
  readonly actor: HostActor
  readonly key: string
}

const people: ReadonlyArray<
  readonly [Who, { readonly scopes: ReadonlyArray<Scope>; readonly mode?: ActorMode; readonly actorKind?: ActorKind }]
> = [
  ["owner", { scopes: ["admin"] }],
  ["reader", { scopes: ["offers:read", "linkedin:read"] }],
  ["drafter", { scopes: ["admin"], mode: "draft_only" }],
  ["assistant", { scopes: ["admin"], actorKind: "AI_AGENT" }]
]

const workspace = async (databaseUrl = "memory:") => {
  const svc = await createSvc({
    databaseUrl,
    gateway: "simulator",
    worker: false,
    rateLimit: 0,
    mcpActorKind: "key",
    defaultScopes: scopes,
    sample: true,
    publicUrl: "http://svc.example",
    layers: Ids.layerSequential
  })
  const identities = new Map<Who, Identity>()
  for (const [who, request] of people) {
    const issued = await svc.effect.runtime.runPromise(createKey(svc.organization.id, request))
    const { actorKind, mode, scopes, userId } = issued.key
    identities.set(who, { key: issued.text, actor: { userId, scopes, mode, kind: actorKind } })
  }
  const { apiKey, organizationId } = await svc.createOrganization("Strangers")
  identities.set("stranger", { key: apiKey, actor: { organizationId, userId: "usr_stranger" } })
  return { svc, identityOf: (who: Who) => identities.get(who) }
}

/** Statuses whose refusals are envelopes. */
export const enveloped = [400, 404, 409, 502]

/** In process, as a host program calls, in memory unless it says where. A refusal is told as HTTP tells it. */
export const inProcess = async (databaseUrl?: string): Promise<Surface> => {
  const { identityOf, svc } = await workspace(databaseUrl)
  return {
    name: "in process",
    close: svc.close,
    run: async (step) => {
      const actor = identityOf(step.as ?? "owner")?.actor
      return actor === undefined ? undefined : throughApi(svc, step, { actor })
    }
  }
}

/** What a program sees of a step: by `svc.commands.run` and `svc.resources.read`, embedded or remote. */
export const throughApi = async (
  { commands, resources }: Client,
  { command, compact, dryRun, idempotencyKey, input, resource }: Step,
  who: object = {}
): Promise<Outcome> => {
  const options = { ...who, ...(compact === true ? { responseProfile: "compact" as const } : {}) }
  if (resource !== undefined) {
    return resources.read(resource, options).then(
      (found) => ({ status: 200, body: { data: { resource: found } } }),
      (error: unknown) => {
        if (!(error instanceof SvcError)) throw error
        return { status: error.status, body: { error: { message: error.message, code: error.code } } }
      }
    )
  }
  // The table holds ids and inputs that the types would rightly refuse.
  const run: (id: never, input: never, options: object) => ReturnType<typeof commands.run> = commands.run
  const envelope = await run(command as never, input as never, {
    ...options,
    ...(dryRun === undefined ? {} : { dryRun }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey })
  })
  if (envelope.ok || enveloped.includes(envelope.status)) return { status: envelope.status, body: envelope }
  return { status: envelope.status, body: { error: envelope.error } }
}

/** A workspace on a port. */
export const listening = async () => {
  const { identityOf, svc } = await workspace()
  const server = createServer((request, response) => svc.node(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await svc.close()
  }
  return { identityOf, url, close }
}

/** Over HTTP, from a port. */
export const overHttp = async (): Promise<Surface> => {
  const { close, identityOf, url } = await listening()
  return {
    name: "HTTP",
    close,
    run: async ({ as = "owner", command, compact, dryRun, idempotencyKey, input, resource }) => {
      const key = identityOf(as)?.key
      const query = new URLSearchParams({
        ...(resource === undefined ? {} : { uri: resource }),
        ...(compact === true ? { response_profile: "compact" } : {}),
        ...(dryRun === undefined ? {} : { dry_run: String(dryRun) })
      })
      const path = resource === undefined ? `commands/${command}` : "resources/read"
      const response = await fetch(`${url}/api/v1/${path}?${query}`, {
        headers: {
          "content-type": "application/json",
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey })
        },
        ...(resource === undefined ? { method: "POST", body: JSON.stringify(input) } : {})
      })
      return { status: response.status, body: await response.json() }
    }
  }
}

/** With the client package, from a port. */
export const withClient = async (): Promise<Surface> => {
  const { close, identityOf, url } = await listening()
  return {
    name: "client",
    close,
    run: (step) => {
      const key = identityOf(step.as ?? "owner")?.key
      return throughApi(createClient({ url, ...(key === undefined ? {} : { key }) }), step)
    }
  }
}

const isCode = (code: string): code is FailureCode => Object.hasOwn(failureTable, code)

/** The status that a printed body stands for, after its exit code was checked against the table. */
const statusOf = (body: Readonly<Record<string, unknown>>, exitCode: number | null): number => {
  const error: unknown = body["error"]
  const code = String(Object(error).code)
  const entry = error === undefined || !isCode(code) ? undefined : failureTable[code]
  if (exitCode !== (entry?.exitCode ?? 0)) throw new Error(`exit code ${exitCode} with ${JSON.stringify(body)}`)
  return entry?.status ?? Number(body["status"] ?? 200)
}

/** The command line, each step a run of its own that talks to a server. */
export const commandLine = async (): Promise<Surface> => {
  const { close, identityOf, url } = await listening()
  return {
    name: "CLI",
    close,
    run: async ({ as = "owner", command = "", compact, dryRun, idempotencyKey, input, resource }) => {
      const key = identityOf(as)?.key
      const args =
        resource === undefined
          ? ["commands", "run", command, "--input-json", JSON.stringify(input)]
          : ["resources", "read", resource]
      const ran = await svcInProcess(
        [
          ...args,
          "--json",
          ...(compact === true ? ["--response-profile", "compact"] : []),
          ...(dryRun === true ? ["--dry-run"] : []),
          ...(idempotencyKey === undefined ? [] : ["--idempotency-key", idempotencyKey])
        ],
        { env: { SVC_BASE_URL: url, ...(key === undefined ? {} : { SVC_API_KEY: key }) } }
      )
      const body = oneJson(ran)
      return { status: statusOf(body, ran.code), body }
    }
  }
}
