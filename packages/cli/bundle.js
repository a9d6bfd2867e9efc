// Bundles the executable into dist/bundle, or into the folder that is given: one entry, split into chunks that load when
// they are needed, so that a short command starts fast. PGlite stays a package of its own, and its snapshot lies beside
// the chunks that look for it.
import { copyFile, mkdir, rm } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const outdir = process.argv[2] ?? here("dist/bundle")

await rm(outdir, { recursive: true, force: true })
await mkdir(outdir, { recursive: true })
await build({
  entryPoints: [here("src/main.ts")],
  outdir,
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20",
  conditions: ["svc-source"],
  external: ["@electric-sql/pglite", "pg-native", "pg-cloudflare"],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
  // Some packages are written for require and expect it.
  banner: {
    js: 'import { createRequire as svcRequire } from "node:module"; const require = svcRequire(import.meta.url);'
  }
})
for (const file of ["pglite-snapshot.json", "pglite-snapshot.tar.gz"]) {
  await copyFile(here(`../postgres/dist/${file}`), `${outdir}/${file}`)
}
