// Puts what runs into a folder of its own, without sources, tests and tools: node packages/cli/deploy/assemble.js FOLDER
import { cp, mkdir, readFile, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const folder = process.argv[2]
if (folder === undefined) throw new Error("Name the folder: node packages/cli/deploy/assemble.js FOLDER")
const cli = fileURLToPath(new URL("..", import.meta.url))

await mkdir(folder, { recursive: true })
for (const part of ["bin", "dist/bundle"]) await cp(join(cli, part), join(folder, part), { recursive: true })
const { engines, license, name, type, version } = JSON.parse(await readFile(join(cli, "package.json"), "utf8"))
await writeFile(join(folder, "package.json"), JSON.stringify({ name, version, license, type, engines }, null, 2))

/** Where a package lies that another one needs. */
const locate = (wanted, from) =>
  createRequire(join(from, "package.json"))
    .resolve.paths(wanted)
    .map((modules) => join(modules, wanted))
    .find((path) => {
      try {
        return createRequire(join(path, "package.json"))("./package.json").name === wanted
      } catch {
        return false
      }
    })

// The packages that the bundle leaves outside, with all that they need.
const copied = new Set()
const copy = async (wanted, from) => {
  const path = locate(wanted, from)
  if (path === undefined) throw new Error(`${wanted} is not installed. Run npm ci first.`)
  if (copied.has(wanted)) return
  copied.add(wanted)
  await cp(path, join(folder, "node_modules", wanted), { recursive: true })
  const { dependencies = {} } = JSON.parse(await readFile(join(path, "package.json"), "utf8"))
  for (const dependency of Object.keys(dependencies)) await copy(dependency, path)
}
await copy("@electric-sql/pglite", join(dirname(cli.replace(/[/\\]$/, "")), "postgres"))
await copy("jq-wasm", cli)
await copy("redis", join(dirname(cli.replace(/[/\\]$/, "")), "http"))
