// Bundles the executable into dist/bundle, or into the folder that is given: a small entry, the program in a few parts, and
// what V8 compiles of them when a short command or a service runs, so that both start fast. PGlite, Redis's client and jq,
// which few commands load, stay packages of their own. The manual page is made of the commands. PGlite's snapshot lies beside the program, which looks for it.
import { execFileSync } from "node:child_process"
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { directImports } from "./directImports.js"
import { lazySegmenter } from "./lazySegmenter.js"
import { noAsyncResources } from "./noAsyncResources.js"
import { programParts } from "./programParts.js"
import { steadyHash } from "./steadyHash.js"

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const outdir = process.argv[2] ?? here("dist/bundle")

await rm(outdir, { recursive: true, force: true })
await mkdir(outdir, { recursive: true })
/** For what was written for CommonJS inside of an ECMAScript module. */
const requireLine =
  'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);'
const bundle = (options) =>
  build({
    outdir,
    bundle: true,
    platform: "node",
    target: "node20",
    conditions: ["svc-source"],
    external: ["@electric-sql/pglite", "jq-wasm", "redis", "pg-native", "pg-cloudflare"],
    minifySyntax: true,
    minifyWhitespace: true,
    charset: "ascii",
    legalComments: "none",
    logLevel: "warning",
    plugins: [directImports(here("..")), lazySegmenter, noAsyncResources, ...steadyHash],
    ...options
  })
await bundle({
  entryPoints: [here("src/main.ts")],
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  define: { "import.meta.dirname": "__dirname" }
})
const split = await bundle({
  entryPoints: [here("src/program.ts")],
  // Where the parts are from: esbuild names its inputs and outputs from here.
  absWorkingDir: here("../.."),
  format: "esm",
  splitting: true,
  write: false,
  metafile: true,
  define: { "import.meta.url": "bundleUrl" }
})
for (const [part, text] of await programParts(split)) await writeFile(`${outdir}/${part}.cjs`, text)
for (const file of ["pglite-snapshot.json", "pglite-snapshot.tar.gz"]) {
  await copyFile(here(`../postgres/dist/${file}`), `${outdir}/${file}`)
}
// Only a package has a manual page, and code that was compiled for this Node.
if (process.argv[2] === undefined) {
  const manual = `${outdir}/printManual.js`
  await bundle({ entryPoints: [here("src/printManual.ts")], format: "esm", banner: { js: requireLine } })
  await writeFile(`${outdir}/svc.1`, execFileSync(process.execPath, [manual], { maxBuffer: 2 ** 26 }))
  await rm(manual)
  for (const kind of ["command", "service"]) execFileSync(process.execPath, [here("compile.js"), outdir, kind])
}
