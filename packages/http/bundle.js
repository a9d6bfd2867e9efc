// Puts Effect's HTTP server for Node into dist/nodeHttpServer.js. The package that it comes from also has clients for HTTP
// and Redis, which npm would install with it. WebSockets, which the surface has none of, are left out: their package needs
// `require`, which a module that is bundled once more has not.
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
  alias: { ws: here("noWebSockets.js"), "node:module": here("builtInModules.js") },
  sourcemap: true,
  legalComments: "inline",
  logLevel: "warning"
})
