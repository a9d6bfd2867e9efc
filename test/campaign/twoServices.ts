/** Two services on one database, each with connections of its own, asked over HTTP by several people of one organization. */

import { Composition, readSettings } from "@svc/embed/composition"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Ports from "#core/outreach/LinkedInPorts.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { createKey, createOrganization } from "#core/workspace/organizations/Provisioning.ts"
import { HttpHandlers } from "#http/HttpHandlers.ts"
import { type Asked, at, type Reply, readReply, requestInit } from "../support/httpService.ts"
import { smallPage } from "../support/reviewPage.ts"

/** Where both services say that they are. */
export const publicUrl = "https://svc.test"

const open = async (databaseUrl: string) => {
  const variables = {
    SVC_DATABASE_URL: databaseUrl,
    SVC_LINKEDIN_GATEWAY: "simulator",
    SVC_LINKEDIN_PACING: "off",
    SVC_SEND_HOLD_SECONDS: "0",
    SVC_SIMULATOR_ACCEPT_SECONDS: "0",
    SVC_RATE_LIMIT: "0",
    SVC_DB_POOL: "8",
    SVC_LOG_LEVEL: "none"
  }
  const settings = Effect.runSync(Effect.fromResult(readSettings(variables)))
  const options = { worker: false, page: Effect.succeed(smallPage), publicUrl: () => publicUrl, rateLimit: 0 }
  const runtime = ManagedRuntime.make(Composition.fromSettings(settings, options))
  const { fetch } = await runtime.runPromise(HttpHandlers)
  return { runtime, fetch }
}

/** Opens both; each call says which of them it goes to. */
export const openTwo = async (databaseUrl: string) => {
  const services = [await open(databaseUrl), await open(databaseUrl)] as const
  const [{ runtime }] = services
  const { key, organization, text } = await runtime.runPromise(createOrganization("Acme"))
  const keyFor = async (name: string, changes: Partial<Parameters<typeof createKey>[1]> = {}) =>
    (await runtime.runPromise(createKey(organization.id, { name, ...changes }))).text
  const people = {
    owner: text,
    second: await keyFor("Second"),
    agent: await keyFor("Agent", { actorKind: "AI_AGENT", userId: key.userId })
  }
  const ask = async (which: 0 | 1, method: string, path: string, asked: Asked = {}): Promise<Reply> =>
    readReply(await services[which].fetch(new Request(`${publicUrl}${path}`, requestInit(method, asked, text))))
  return {
    people,
    ask,
    /** Runs a command. */
    run: (which: 0 | 1, command: string, json: unknown, asked: Asked = {}) =>
      ask(which, "POST", `/api/v1/commands/${command}`, { json, ...asked }),
    /** Sends what is due. */
    dispatch: (which: 0 | 1) => services[which].runtime.runPromise(Effect.provide(dispatchDue(), Ports.layer)),
    close: async () => {
      for (const { runtime } of services) await runtime.dispose()
    }
  }
}

/** See {@link openTwo}. */
export type Two = Awaited<ReturnType<typeof openTwo>>

/** The data of a command that must succeed, by path. */
export const dataAt = (reply: Reply, path: string): string => {
  const found = at(reply.body, `data.${path}`)
  if (typeof found !== "string") throw new Error(`${path} is not in ${reply.status} ${reply.text.slice(0, 400)}`)
  return found
}
