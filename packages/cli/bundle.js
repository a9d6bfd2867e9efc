// Bundles the executable into dist/bundle, or into the folder that is given: one entry, and chunks for what is imported
// dynamically. PGlite, Redis's client and jq, which few commands load, stay packages of their own. The manual page is made
// of the commands. PGlite's snapshot lies beside the program, which looks for it.
import { execFileSync } from "node:child_process"
import { copyFile, rm, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { directImports } from "./directImports.js"

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const outdir = process.argv[2] ?? here("dist/bundle")

await rm(outdir, { recursive: true, force: true })
await build({
  entryPoints: [here("src/main.ts")],
  outdir,
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20",
  conditions: ["svc-source"],
  external: ["@electric-sql/pglite", "jq-wasm", "redis", "pg-native", "pg-cloudflare"],
  alias: { ws: here("../http/noWebSockets.js") },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
  // For what was written for CommonJS.
  banner: {
    js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);'
  },
  plugins: [directImports(here(".."))]
})
for (const file of ["pglite-snapshot.json", "pglite-snapshot.tar.gz"]) {
  await copyFile(here(`../postgres/dist/${file}`), `${outdir}/${file}`)
}
// Only a package has a manual page.
if (process.argv[2] === undefined) {
  const manual = execFileSync(process.execPath, [here("dist/printManual.js")], { maxBuffer: 2 ** 26 })
  await writeFile(`${outdir}/svc.1`, manual)
}
