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
import { ranTogether, readersEnvironment } from "../support/programs.ts"
import { programsOf, recipesOf } from "../support/recipes.ts"
import { root } from "../support/sources.ts"

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

/** What a program says that it prints. */
const promised = (code: string): ReadonlyArray<string> =>
  [...code.matchAll(/^ *console\.log\(.*\) \/\/ (.*)$/gm)].map(([, text = ""]) => text)

/** A program in a folder of its own. */
const placed = async (name: string): Promise<{ readonly place: string; readonly code: string }> => {
  const [code = "", ...others] = programsOf(name)
  assert.lengthOf(others, 0)
  const place = join(folder, name.replaceAll(/\W/g, "-"))
  await mkdir(place)
  await writeFile(join(place, "main.js"), code)
  return { place, code }
}

const alone = async (name: string): Promise<string> => {
  const { place } = await placed(name)
  const options = { cwd: place, env: readersEnvironment }
  return (await run(process.execPath, ["main.js"], options)).stdout
}

/** Programs that start others, or are run by a program. */
const isAlone = (code: string): boolean => code.includes("node:test") || code.includes("node:child_process")

describe("recipes", () => {
  let outputs: Map<string, string>

  beforeAll(async () => {
    const together = recipesOf("Recipes").filter((name) => {
      const [code = ""] = programsOf(name)
      return !isAlone(code) && (hasPostgres() || !code.includes("process.env.DATABASE_URL"))
    })
    const all = Effect.gen(function* () {
      const programs: Array<{ readonly main: string; readonly env: Readonly<Record<string, string>> }> = []
      for (const name of together) {
        const { code, place } = yield* Effect.promise(() => placed(name))
        const isOnPostgres = code.includes("process.env.DATABASE_URL") && hasPostgres()
        const env = isOnPostgres ? { DATABASE_URL: clearUrl((yield* freshPostgres("empty")).url) } : {}
        programs.push({ main: join(place, "main.js"), env })
      }
      const printed = yield* Effect.promise(() => ranTogether(programs))
      return new Map(together.map((name, at) => [name, printed[at]?.stdout ?? ""]))
    })
    outputs = await Effect.runPromise(Effect.scoped(all))
  })

  it("are the ones tried here", () => {
    assert.isAtLeast(recipesOf("Recipes").length, 8)
    assert.deepStrictEqual(recipesOf("Mounting"), ["Fastify 5", "Koa", "Hono, Bun and Deno", "Next.js"])
  })

  it.for(recipesOf("Recipes"))("%s", async (name) => {
    const [code = ""] = programsOf(name)
    const isOnPostgres = code.includes("process.env.DATABASE_URL")
    if (isOnPostgres && !hasPostgres()) return
    const output = isAlone(code) ? await alone(name) : (outputs.get(name) ?? "")
    if (code.includes("node:test")) return assert.match(output, /^[#ℹ] pass 1$/m)
    assert.isAbove(promised(code).length, 0)
    const lines = output.trimEnd().split("\n")
    // After what it logs.
    assert.deepStrictEqual(isOnPostgres ? lines.slice(-promised(code).length) : lines, promised(code))
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
  const child = execFile(process.execPath, [`${name}.js`], {
    cwd: folder,
    env: { ...readersEnvironment, PORT: String(port) }
  })
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
  it.for(["Fastify 5", "Koa"])("in %s", async (name) => {
    await listening(name.replaceAll(" ", "-"), programsOf(name)[0] ?? "", (origin) => worksAsHost(askingAt(origin)))
  })

  it.for([
    ["in Hono", 0],
    ["without a framework", 1],
    ["in a route handler of Next.js", undefined]
  ] as const)("%s", async ([, index]) => {
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
