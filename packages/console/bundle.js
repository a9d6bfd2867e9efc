// Writes the built page into dist/index.js, as a module that needs no file beside it.
import { mkdir, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { buildApp, buildPage } from "./build.js"

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const { assets, html } = await buildPage()

const entries = Array.from(
  assets,
  ([name, { brotli, type }]) =>
    `  [${JSON.stringify(name)}, asset(${JSON.stringify(type)}, "${Buffer.from(brotli).toString("base64")}")]`
)

await mkdir(here("dist"), { recursive: true })
await writeFile(
  here("dist/index.js"),
  `import { brotliDecompressSync, gzipSync } from "node:zlib"

const asset = (type, text) => {
  const brotli = Buffer.from(text, "base64")
  const body = brotliDecompressSync(brotli)
  return { type, body, brotli, gzip: gzipSync(body) }
}

export const page = {
  html: ${JSON.stringify(html)},
  assets: new Map([
${entries.join(",\n")}
  ])
}

export const app = ${JSON.stringify(await buildApp())}
`
)
