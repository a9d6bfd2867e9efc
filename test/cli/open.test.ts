/** `svc open`: which server it finds, and how the browser gets the link. */
import { spawn } from "node:child_process"
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { svcBundle } from "../support/svcBundle.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { environment, oneJson, type RunningSvc, startSvc, svc, temporaryFolder } from "../support/svcProcess.ts"

const memory = { SVC_DATABASE_URL: "memory:" }
const link = /^(http:\/\/127\.0\.0\.1:\d+)\/review#link=(svc_link_\w{12}_\w{43}_\w{6})$/

describe("svc open", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let server: RunningSvc
  let env: Record<string, string>
  beforeAll(async () => {
    folder = await temporaryFolder()
    server = await startSvc(["serve"], { env: memory })
    env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
  })
  afterAll(async () => {
    await server.stop()
    await folder.remove()
  })

  /** A folder with a browser opener of this name, which runs a script. */
  const withOpener = async (name: string, lines: ReadonlyArray<string>) => {
    const bin = join(folder.path, name)
    await mkdir(bin)
    await writeFile(join(bin, "xdg-open"), `#!${process.execPath}\n${lines.join("\n")}\n`)
    await chmod(join(bin, "xdg-open"), 0o755)
    return { ...env, PATH: `${bin}:${process.env["PATH"] ?? ""}` }
  }

  it("--print prints a link that signs in once, at the server of the profile or variables", async () => {
    const ran = await svcInProcess(["open", "--print"], { env })
    assert.strictEqual(ran.code, 0, ran.stderr)
    const [, base, code] = link.exec(ran.stdout.trim()) ?? []
    assert.strictEqual(base, server.url)
    const json = String(oneJson(await svcInProcess(["open", "--json"], { env }))["url"])
    assert.match(json, link)
    assert.notInclude(json, code ?? "?")
  })

  it("links to one item, that of --web as well, and says which are not there", async () => {
    const run = async (...args: ReadonlyArray<string>) => {
      const ran = await svcInProcess([...args, "--json"], { env: { ...env, PATH: join(folder.path, "nothing") } })
      return { ...ran, body: Object(oneJson(ran)) }
    }
    await run("agent", "create", "--first-name", "Ada", "--last-name", "Martin")
    const profile = "https://www.linkedin.com/in/open-me"
    await run("lead", "upsert", "--linkedin-url", profile, "--name", "Olga Open")
    const draft = { linkedin_url: profile, agent_handle: "ada-martin", variations: ["Hello"] }
    const created = await run("linkedin", "draft", "create", "--input-json", JSON.stringify(draft))
    const { draft_id, lead } = created.body.data.draft
    const page = `${server.url}/review/d/${draft_id}#link=svc_link_`
    assert.strictEqual(String((await run("open", draft_id)).body.url).slice(0, page.length), page)
    const shown = await run("linkedin", "draft", "get", draft_id, "--web")
    assert.strictEqual(String(shown.body.url).slice(0, page.length), page)
    assert.strictEqual((await run("open", "drf_none")).code, 4)
    assert.strictEqual((await run("lead", "get", profile, "--web")).code, 4, "nobody replied")
    await run(
      "lead",
      "message",
      "record",
      "--lead-id",
      lead.lead_id,
      "--channel",
      "LINKEDIN",
      "--direction",
      "inbound",
      "--content",
      "Hi"
    )
    assert.include(String((await run("lead", "get", profile, "--web")).body.url), `/review/d/${lead.lead_id}#link=`)
  })

  it.skipIf(process.platform !== "linux")("opens the browser, in whose arguments the link is not", async () => {
    const [args, location] = [join(folder.path, "args"), join(folder.path, "location")]
    const ran = await svc(["open"], {
      env: await withOpener("browser", [
        `const { writeFileSync } = require("node:fs")`,
        `writeFileSync(${JSON.stringify(args)}, process.argv.slice(2).join("\\n"))`,
        `const ask = () => fetch(process.argv[2], { redirect: "manual" })`,
        `ask().then(async (first) => {`,
        `  const second = await ask().then(({ status }) => status, () => "closed")`,
        `  writeFileSync(${JSON.stringify(location)}, first.headers.get("location") + " " + second)`,
        `})`
      ])
    })
    assert.strictEqual(ran.code, 0, ran.stderr)
    assert.strictEqual(ran.stdout, "")
    assert.match(ran.stderr, /opened/)
    assert.match(await readFile(args, "utf8"), /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}$/)
    // The browser writes it after svc has ended.
    let found = ""
    while (found === "") found = await readFile(location, "utf8").catch(() => "")
    const [target = "", second] = found.split(" ")
    assert.match(target, link)
    assert.include(["404", "closed"], second)
  })

  it.skipIf(process.platform !== "linux")("prints the link where no browser can be opened", async () => {
    const failing = await svc(["open"], { env: await withOpener("failing", ["process.exit(3)"]) })
    const missing = await svc(["open"], { env: { ...env, PATH: join(folder.path, "nothing") } })
    for (const ran of [failing, missing]) {
      assert.strictEqual(ran.code, 0, ran.stderr)
      assert.match(ran.stdout.trim(), link)
      assert.match(ran.stderr, /browser didn't load/)
    }
  })

  it("finds the server of the folder, with the key that svc dev saved there", async () => {
    const cwd = join(folder.path, "dev")
    await mkdir(cwd)
    const dev = await startSvc(["dev"], { cwd })
    const ran = await svcInProcess(["open", "--print"], { cwd })
    assert.strictEqual(ran.code, 0, ran.stderr)
    assert.strictEqual(link.exec(ran.stdout.trim())?.[1], dev.url)
    assert.strictEqual(await dev.stop(), 0)
    const stopped = await svcInProcess(["open", "--json"], { cwd })
    assert.strictEqual(stopped.code, 6)
    const { error } = Object(oneJson(stopped))
    assert.strictEqual(error.code, "UNAVAILABLE")
    assert.match(error.message, /No server is running here\. Start one with svc dev/)
  })

  it("says who cannot have a link: no key, an AI agent; and opens the sign-in page for a key without the scope", async () => {
    const none = await svcInProcess(["open", "--print"], { env: { SVC_BASE_URL: server.url } })
    assert.strictEqual(none.code, 3)
    assert.match(none.stderr, /svc login/)
    const make = async (...flags: ReadonlyArray<string>) => {
      const made = Object(oneJson(await svcInProcess(["key", "create", "--name", "x", "--json", ...flags], { env })))
      return svcInProcess(["open", "--print"], { env: { ...env, SVC_API_KEY: made.data.api_key } })
    }
    const agent = await make("--actor-kind", "AI_AGENT")
    assert.strictEqual(agent.code, 3, agent.stderr)
    assert.strictEqual(agent.stdout, "")
    const reviewer = await make("--scopes", "linkedin:read", "--scopes", "linkedin:approve")
    assert.strictEqual(reviewer.code, 0, reviewer.stderr)
    assert.strictEqual(reviewer.stdout.trim(), `${server.url}/review`)
    assert.match(reviewer.stderr, /keys:manage/)
  })

  it("is not needed after svc dev, which prints a link", async () => {
    const dev = spawn(process.execPath, [await svcBundle(), "dev", "--port", "0"], {
      env: environment(memory),
      stdio: ["ignore", "pipe", "inherit"]
    })
    let banner = ""
    for await (const chunk of dev.stdout.setEncoding("utf8")) {
      banner += String(chunk)
      if (banner.includes("npx svc resources")) break
    }
    const [, url = "", code] = link.exec(/Review +(\S+)/.exec(banner)?.[1] ?? "") ?? []
    const root = await fetch(url, { headers: { accept: "text/html" } })
    const signedIn = await fetch(`${url}/review/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ link: code })
    })
    dev.kill()
    assert.strictEqual(`${root.status} ${root.url}`, `200 ${url}/`)
    assert.match(root.headers.get("content-security-policy") ?? "", /^default-src 'none'/)
    assert.match(signedIn.headers.get("set-cookie") ?? "", /^svc_session=/)
  })
})
