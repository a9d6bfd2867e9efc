/** The client as a browser loads it. */
import { join } from "node:path"
import { createContext, Script } from "node:vm"
import type * as client from "@svc/client"
import { build } from "esbuild"
import { root } from "../support/sources.ts"

/** The client package in one minified file for browsers, with its exports on the global `svcClient`, and the files in it. */
export const bundled = async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: [join(root, "packages/client/src/index.ts")],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    absWorkingDir: root,
    platform: "browser",
    conditions: ["svc-source"],
    format: "iife",
    globalName: "svcClient",
    target: "es2022"
  })
  return { bundle: outputFiles.map(({ text }) => text).join(""), sources: Object.keys(metafile.inputs) }
}

/** Loads a bundle where only what browsers have is known. */
export const loadedInBrowser = (bundle: string): typeof client => {
  const { AbortSignal, clearTimeout, fetch, Request, setTimeout, URL, URLSearchParams } = globalThis
  const context = createContext({
    AbortSignal,
    clearTimeout,
    fetch,
    Request,
    setTimeout,
    URL,
    URLSearchParams,
    location: { href: "https://app.example/leads?page=2" }
  })
  new Script(bundle).runInContext(context)
  return context["svcClient"]
}
