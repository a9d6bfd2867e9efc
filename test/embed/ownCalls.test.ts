/** What a host's command calls in the service: as its caller, in its transaction. */

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type CommandContext, createSvc, defineCommand, type Hooks, SvcError } from "@svc/embed"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { backendNames, clearUrl, freshPostgres, hasPostgres, selectedBackends } from "../support/backends.ts"

type Run = (context: CommandContext) => Promise<Readonly<Record<string, unknown>>>

/** A command that does what a test says. */
const command = <const Id extends string>(id: Id, risk: "mutate" | "read", outward: boolean, run: Run) =>
  defineCommand({ id, summary: "Do it", risk, scope: "leads:read", outward, run: (_, context) => run(context) })

const serviceOn = (databaseUrl: string, run: Run, hooks: Hooks) =>
  createSvc({
    databaseUrl,
    worker: false,
    env: { SVC_LOG_LEVEL: "none" },
    hooks,
    commands: [
      command("crm.write", "mutate", false, run),
      command("crm.read", "read", false, run),
      command("crm.outward", "mutate", true, run)
    ]
  })

type Service = Awaited<ReturnType<typeof serviceOn>>

const email = (name: string) => ({ email: `${name}@example.com` })

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "ok",
    (error: unknown) => (error instanceof SvcError ? `${error.code} ${error.message}` : String(error))
  )

for (const backend of backendNames.filter((name) => selectedBackends().has(name))) {
  describe.skipIf(backend === "postgres" && !hasPostgres())(`a command of a host on ${backend}`, () => {
    const scope = Effect.runSync(Scope.make())
    let folder = ""
    let shared: Service
    let current: Run = async () => ({})
    let seen: Array<string> = []

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "svc-own-"))
      const urls = {
        memory: async () => "memory:",
        pglite: async () => `pglite:${join(folder, "data")}`,
        postgres: async () => clearUrl((await Effect.runPromise(Scope.provide(freshPostgres(), scope))).url)
      }
      const before: Hooks["before"] = ({ command, within }) =>
        seen.push(within === undefined ? command : `${command} within ${within}`)
      shared = await serviceOn(await urls[backend](), (context) => current(context), { before })
    })
    afterAll(async () => {
      await shared.close()
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await rm(folder, { recursive: true })
    })

    /** Uses the service as an organization of its own, with commands that do what `run` says. */
    const withService = async (run: Run, use: (svc: Service) => Promise<void>) => {
      const { organizationId } = await shared.createOrganization("Own")
      current = run
      seen = []
      await use(shared.as({ organizationId }))
    }

    it("saves what it called with its own run, or nothing", () =>
      withService(
        async ({ svc }) => {
          const { lead_id } = await svc.leads.upsert(email("one"))
          const { lead } = await svc.leads.get({ lead_id })
          await svc.leads.upsert(email("two"))
          if (lead.email === "one@example.com") throw new Error("too late")
          return {}
        },
        async (svc) => {
          assert.match(await codeOf(svc.crm.write()), /^INTERNAL/)
          assert.strictEqual((await svc.leads.search({})).count, 0)
          assert.deepStrictEqual((await svc.audit.list({ command_id: "lead.upsert" })).entries, [])
          await codeOf(svc.crm.outward())
          assert.strictEqual((await svc.leads.search({})).count, 2)
        }
      ))

    it("cannot go on as if nothing had happened when a call that writes failed halfway", () =>
      withService(
        async ({ svc }) => {
          await svc.leads.upsert({ ...email("ada"), custom_id: "1" })
          await svc.leads.upsert(email("eve"))
          // A refused read, and an input that is not valid, have changed nothing.
          await codeOf(svc.leads.get(email("nobody")))
          await codeOf(svc.leads.upsert({ email: "no address" }))
          const failed = await codeOf(svc.leads.upsert({ ...email("eve"), custom_id: "1" }))
          return { failed }
        },
        async (svc) => {
          assert.match(await codeOf(svc.crm.write()), /^IDENTITY_CONFLICT/)
          assert.strictEqual((await svc.leads.search({})).count, 0)
          // Without a transaction each call stands for itself.
          assert.match(String((await svc.crm.outward())["failed"]), /^IDENTITY_CONFLICT/)
          assert.strictEqual((await svc.leads.search({})).count, 2)
        }
      ))

    it("previews in a dry run what it would call, later calls seeing earlier ones, and saves nothing", () =>
      withService(
        async ({ svc }) => {
          const { lead_id } = await svc.leads.upsert(email("ada"))
          const { lead } = await svc.leads.get({ lead_id })
          return { email: lead.email }
        },
        async (svc) => {
          for (const id of ["crm.write", "crm.outward"] as const) {
            const envelope = await svc.commands.run(id, {}, { dryRun: true })
            assert.deepStrictEqual(envelope.ok && envelope.data, email("ada"))
            const feed = await svc.commands.run("event.list", {})
            assert.deepStrictEqual(feed.ok && feed.data.events, [])
          }
          assert.strictEqual((await svc.leads.search({})).count, 0)
        }
      ))

    it("runs many calls at once in its transaction", () =>
      withService(
        async ({ svc }) => {
          const ids = await Promise.all(["a", "b", "c", "d"].map((name) => svc.leads.upsert(email(name))))
          return { count: new Set(ids.map(({ lead_id }) => lead_id)).size }
        },
        async (svc) => {
          assert.deepStrictEqual(await svc.crm.write(), { count: 4 })
          assert.strictEqual((await svc.leads.search({})).count, 4)
        }
      ))

    it("waits for calls that nobody waited for, and refuses those of a run that has ended", () => {
      let late: CommandContext["svc"] | undefined
      return withService(
        async ({ svc }) => {
          late = svc
          void svc.leads.upsert(email("ada"))
          return {}
        },
        async (svc) => {
          await svc.crm.write()
          assert.strictEqual((await svc.leads.search({})).count, 1)
          assert.match(
            await codeOf(late?.leads.upsert(email("eve")) ?? Promise.resolve()),
            /^WRONG_STATE The run has ended/
          )
          assert.strictEqual((await svc.leads.search({})).count, 1)
        }
      )
    })

    it("undoes calls that nobody waited for, when it fails", () => {
      let calls: ReadonlyArray<Promise<unknown>> = []
      return withService(
        async ({ svc }) => {
          calls = ["a", "b", "c", "d"].map((name) => codeOf(svc.leads.upsert(email(name))))
          throw new Error("too late")
        },
        async (svc) => {
          assert.match(await codeOf(svc.crm.write()), /^INTERNAL/)
          await Promise.all(calls)
          assert.strictEqual((await svc.leads.search({})).count, 0)
        }
      )
    })

    it("is told to call the service that it was given, rather than wait for itself", () =>
      withService(
        async () => ({ outer: await codeOf(shared.leads.upsert(email("ada"))) }),
        async (svc) => {
          assert.deepStrictEqual(await svc.crm.write(), {
            outer:
              "INVALID_INPUT Inside crm.write, call context.svc: svc itself is not part of its transaction, and may wait for it."
          })
          // Without a transaction there is nothing to wait for, and after the run neither.
          assert.deepStrictEqual(await svc.crm.outward(), { outer: "ok" })
          assert.strictEqual(await codeOf(shared.leads.upsert(email("ada"))), "ok")
        }
      ))

    it("cannot write if it only reads, nor call a provider in its transaction", () =>
      withService(
        async ({ svc }) => ({
          write: await codeOf(svc.leads.upsert(email("ada"))),
          send: await codeOf(svc.linkedin.draft.approve({ draft_id: "dr_1", send_now: true }))
        }),
        async (svc) => {
          const reading = await svc.crm.read()
          assert.strictEqual(
            reading["write"],
            'WRONG_STATE crm.read only reads, so it can\'t run lead.upsert. Declare it with risk: "mutate".'
          )
          const { send } = (await svc.crm.write()) as { send: string }
          assert.strictEqual(
            send,
            "WRONG_STATE linkedin.draft.approve calls a provider, so it can't run in the transaction of crm.write. " +
              "Declare crm.write with outward: true."
          )
          assert.match(String((await svc.crm.outward())["send"]), /^NOT_FOUND/)
        }
      ))

    it("has the rights of its caller, and hooks see what it calls", () => {
      return withService(
        async ({ svc }) => {
          const upsert = await codeOf(svc.leads.upsert(email("ada")))
          const status = await codeOf(svc.resources.read("svc://status"))
          const { commands } = svc
          const listed = (await commands.list()).some(({ command_id }) => command_id === "crm.read")
          return {
            upsert,
            status,
            listed,
            internal: (await commands.run("resource.status" as never, {} as never)).status
          }
        },
        async (svc) => {
          const all = { upsert: "ok", status: "ok", listed: true, internal: 404 }
          assert.deepStrictEqual(await svc.crm.write(), all)
          assert.deepStrictEqual(seen, [
            "crm.write",
            "lead.upsert within crm.write",
            "resource.status within crm.write"
          ])
          const reader = svc.as({ scopes: ["leads:read"] })
          const { status, upsert } = (await reader.crm.outward()) as { upsert: string; status: string }
          assert.match(upsert, /^FORBIDDEN_SCOPE lead.upsert requires the scope leads:write/)
          assert.match(status, /^(ok|FORBIDDEN_SCOPE)/)
        }
      )
    })
  })
}
