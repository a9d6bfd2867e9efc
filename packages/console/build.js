// Builds the review page: one script, one style sheet and an HTML document that names them by their hashes.
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, gzipSync, constants as zlib } from "node:zlib"
import { build } from "esbuild"

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

const types = { ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8" }

const compressed = (body) =>
  brotliCompressSync(body, {
    params: { [zlib.BROTLI_PARAM_QUALITY]: 11, [zlib.BROTLI_PARAM_SIZE_HINT]: body.length }
  })

/** The script and the style sheet of an entry point. */
const built = async (entry) => {
  const { outputFiles } = await build({
    entryPoints: [here(entry)],
    outdir: here("dist"),
    write: false,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning"
  })
  return outputFiles
}

/** The app that clients show beside a draft: one document with everything in it. */
export const buildApp = async () => {
  const files = await built("src/app/main.tsx")
  const textOf = (ending) => files.find(({ path }) => path.endsWith(ending)).text
  const html = await readFile(here("src/app/app.html"), "utf8")
  return html
    .replace("></script>", () => `>${textOf(".js").replaceAll("</script", "<\\/script")}</script>`)
    .replace("<style></style>", () => `<style>${textOf(".css")}</style>`)
}

/** The page as `@svc/http` serves it. */
export const buildPage = async () => {
  const assets = new Map()
  let html = await readFile(here("src/page.html"), "utf8")
  for (const { contents, path } of await built("src/main.tsx")) {
    const ending = path.slice(path.lastIndexOf("."))
    const hash = createHash("sha256").update(contents).digest("base64url").slice(0, 12)
    const name = `page-${hash}${ending}`
    assets.set(name, { type: types[ending], body: contents, brotli: compressed(contents), gzip: gzipSync(contents) })
    html = html.replace(`assets/page${ending}`, `assets/${name}`)
  }
  return { html, assets }
}
