/**
 * `npm run bench` runs every benchmark, `npm run bench import -- --rows 1000000` one with arguments. Each is bundled and run
 * against the built packages, as a user has them. Their other processes are the files `*Process.ts` of `requests`.
 */
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const known = readdirSync(here("."))
  .filter((file) => file.endsWith("Bench.ts"))
  .map((file) => file.slice(0, -"Bench.ts".length))

const [first, ...rest] = process.argv.slice(2)
const named = known.includes(first)
if (first !== undefined && !named && !first.startsWith("-")) {
  process.stderr.write(`There is no benchmark ${first}. There are ${known.join(", ")}.\n`)
  process.exit(2)
}
for (const name of named ? [first] : known) {
  const folder = here("requests/")
  const processes = readdirSync(folder).filter((file) => file.endsWith("Process.ts"))
  await build({
    entryPoints: [here(`${name}Bench.ts`), ...processes.map((file) => folder + file)],
    entryNames: "[name]",
    outdir: here("../dist"),
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "warning"
  })
  process.stdout.write(`\n== ${name}\n`)
  const { status } = spawnSync(
    process.execPath,
    [here(`../dist/${name}Bench.js`), ...(named ? rest : process.argv.slice(2))],
    {
      stdio: "inherit"
    }
  )
  if (status !== 0) process.exit(status ?? 1)
}
