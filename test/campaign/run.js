/**
 * `npm run campaign` runs every campaign, `npm run campaign -- kills --seed 7 --cycles 20` one of them. They run the sources,
 * not what was built. With `--mutate` they run on copies with a fault, and succeed when they find it.
 */
import { readFile } from "node:fs/promises"
import { dirname } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { build } from "esbuild"

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

/** A source finds what lies beside it, wherever it is bundled to. */
const ownFolders = {
  name: "own-folders",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$|[\\/]packed\.js$/ }, async ({ path }) => ({
      loader: "ts",
      contents: (await readFile(path, "utf8"))
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)))
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
    }))
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: "7" }, cycles: { type: "string" }, mutate: { type: "boolean" } }
})
/** A module of this folder, built so that every supported Node runs it. */
const built = async (name) => {
  const outfile = here(`../dist/campaign-${name}.js`)
  await build({
    entryPoints: [here(`${name}.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["svc-source"],
    external: ["effect", "@effect/*", "esbuild", "vitest", "fast-check", "ajv", "ajv-formats", "@electric-sql/*", "pg"],
    plugins: [ownFolders],
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);"
    },
    logLevel: "warning"
  })
  return import(pathToFileURL(outfile).href)
}

if (values.mutate) {
  const { mutate } = await built("mutate")
  process.exit(await mutate(positionals, ["--seed", values.seed]))
}
await built("run")
