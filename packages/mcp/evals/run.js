/** `npm run evals`: bundles `main.ts` and runs it against the built packages. */
import { readFile } from "node:fs/promises"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const outfile = here("dist/evals.js")

/** A source finds what lies beside it, wherever it is bundled to. */
const ownFolders = {
  name: "own-folders",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      loader: "ts",
      contents: (await readFile(path, "utf8")).replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
    }))
}

await build({
  entryPoints: [here("main.ts")],
  outfile,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  plugins: [ownFolders]
})
await import(pathToFileURL(outfile).href)
