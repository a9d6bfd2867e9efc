/**
 * `node test/conformance/serve.js [PORT]` serves what the official MCP conformance suite asks for, so that a scenario can be
 * run and read by itself. `npm test` runs every scenario (suite.test.ts). Needs `npm run build`.
 */
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const outfile = here("../dist/suiteMain.js")
await build({
  entryPoints: [here("suiteMain.ts")],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  logLevel: "warning"
})
await import(pathToFileURL(outfile).href)
