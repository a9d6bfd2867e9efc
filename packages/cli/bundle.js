// Bundles the executable into dist/bundle, or into the folder that is given: a small entry, the program as one file, and
// what V8 compiles of it when a short command runs, so that such a command starts fast. PGlite stays a package of its own,
// and its snapshot lies beside the program, which looks for it.
import { execFileSync } from "node:child_process"
import { copyFile, mkdir, rm } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const outdir = process.argv[2] ?? here("dist/bundle")

await rm(outdir, { recursive: true, force: true })
await mkdir(outdir, { recursive: true })
const bundle = (options) =>
  build({
    outdir,
    bundle: true,
    platform: "node",
    target: "node20",
    conditions: ["svc-source"],
    external: ["@electric-sql/pglite", "pg-native", "pg-cloudflare"],
    minifySyntax: true,
    minifyWhitespace: true,
    charset: "ascii",
    legalComments: "none",
    logLevel: "warning",
    ...options
  })
await bundle({ entryPoints: [here("src/main.ts")], format: "esm" })
await bundle({
  entryPoints: [here("src/program.ts")],
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  // A compiled script has lost the way to import.
  supported: { "dynamic-import": false },
  define: { "import.meta.url": "bundleUrl" },
  banner: { js: 'const bundleUrl = require("node:url").pathToFileURL(__filename).href;' }
})
for (const file of ["pglite-snapshot.json", "pglite-snapshot.tar.gz"]) {
  await copyFile(here(`../postgres/dist/${file}`), `${outdir}/${file}`)
}
execFileSync(process.execPath, [here("compile.js"), outdir])
