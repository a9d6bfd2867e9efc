/** The programs of the embedding guide run, and print what it says. */
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { freePort } from "../support/freePort.ts"
import { readReply, requestInit } from "../support/httpService.ts"
import { askingAt, worksAsHost } from "../support/mountedHost.ts"
import { programsOf, recipesOf } from "../support/recipes.ts"
import { root } from "../support/sources.ts"
import { nodeFlags } from "../support/svcBundle.ts"

const run = promisify(execFile)

let folder: string
beforeAll(async () => {
  await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-b"], { cwd: root })
  await run(process.execPath, ["packages/http/bundle.js"], { cwd: root })
  folder = await mkdtemp(join(tmpdir(), "svc-recipes-"))
  await symlink(join(root, "node_modules"), join(folder, "node_modules"))
  await writeFile(join(folder, "package.json"), '{ "type": "module" }')
  await writeFile(join(folder, "svc.js"), programsOf("Mounting")[0] ?? "")
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const environment = { PATH: process.env["PATH"] ?? "", NODE_NO_WARNINGS: "1" }

/** What a program says that it prints. */
const promised = (code: string): ReadonlyArray<string> =>
  [...code.matchAll(/^ *console\.log\(.*\) \/\/ (.*)$/gm)].map(([, text = ""]) => text)

const printed = async (name: string, code: string, env: Readonly<Record<string, string>> = {}): Promise<string> => {
  const place = join(folder, name.replaceAll(/\W/g, "-"))
  await mkdir(place)
  await writeFile(join(place, "main.js"), code)
  return (await run(process.execPath, [...nodeFlags, "main.js"], { cwd: place, env: { ...environment, ...env } }))
    .stdout
}

describe("recipes", () => {
  it("are the ones tried here", () => {
    assert.isAtLeast(recipesOf("Recipes").length, 8)
    assert.deepStrictEqual(recipesOf("Mounting"), ["Fastify 5", "Koa", "Hono, Bun and Deno", "Next.js"])
  })

  it.for(recipesOf("Recipes"))("%s", { timeout: 60_000 }, async (name) => {
    const [code = "", ...others] = programsOf(name)
    assert.lengthOf(others, 0)
    if (code.includes("process.env.DATABASE_URL")) {
      if (!hasPostgres()) return
      const withDatabase = Effect.gen(function* () {
        const { url } = yield* freshPostgres("empty")
        return yield* Effect.promise(() => printed(name, code, { DATABASE_URL: clearUrl(url) }))
      })
      const output = await Effect.runPromise(Effect.scoped(withDatabase))
      // After what it logs.
      assert.deepStrictEqual(output.trim().split("\n").slice(-promised(code).length), promised(code))
      return
    }
    const output = await printed(name, code)
    if (code.includes("node:test")) return assert.match(output, /^[#ℹ] pass 1$/m)
    assert.isAbove(promised(code).length, 0)
    assert.deepStrictEqual(output.trimEnd().split("\n"), promised(code))
  })
})

/** Whether something listens on the port. */
const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true))
    socket.once("error", () => resolve(false)).once("connect", () => socket.destroy())
  })

/** Runs a program on a port. */
const listening = async (name: string, code: string, use: (origin: string) => Promise<void>): Promise<void> => {
  const port = await freePort()
  await writeFile(join(folder, `${name}.js`), code)
  const child = execFile(process.execPath, [`${name}.js`], { cwd: folder, env: { ...environment, PORT: String(port) } })
  try {
    while (!(await listens(port))) {
      if (child.exitCode !== null) throw new Error(`${name} ended early`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await use(`http://127.0.0.1:${port}`)
  } finally {
    child.kill("SIGKILL")
  }
}

describe("mounting", () => {
  it.for(["Fastify 5", "Koa"])("in %s", { timeout: 60_000 }, async (name) => {
    await listening(name.replaceAll(" ", "-"), programsOf(name)[0] ?? "", (origin) => worksAsHost(askingAt(origin)))
  })

  it.for([
    ["in Hono", 0],
    ["without a framework", 1],
    ["in a route handler of Next.js", undefined]
  ] as const)("%s", { timeout: 60_000 }, async ([, index]) => {
    const code = index === undefined ? programsOf("Next.js")[0] : programsOf("Hono, Bun and Deno")[index]
    const file = join(folder, `web-${index}.js`)
    await writeFile(file, code ?? "")
    const host = await import(file)
    await worksAsHost(async (method, path, json) => {
      const headers = { "x-user": "lea" }
      const request = new Request(`http://host${path}`, requestInit(method, { key: null, json, headers }, ""))
      if (index !== undefined) return readReply(await host.default.fetch(request))
      return readReply(path === "/" ? new Response("mine") : await host[method](request))
    })
  })
})
