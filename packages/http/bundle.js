// Puts Effect's HTTP server for Node into dist/nodeHttpServer.js. The package that it comes from also has clients for HTTP
// and Redis, which npm would install with it.
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

await build({
  entryPoints: [here("src/nodeHttpServer.ts")],
  outfile: here("dist/nodeHttpServer.js"),
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  external: ["effect/*"],
  banner: {
    js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);'
  },
  sourcemap: true,
  legalComments: "inline",
  logLevel: "warning"
})
