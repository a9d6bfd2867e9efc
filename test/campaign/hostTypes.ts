/** Strict programs of TypeScript 5.9 with the packed packages, installed by npm and by pnpm. */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { Packed } from "../../packages/packed.js"
import { shell } from "./hosts.ts"

const program = `
import { Command } from "@svc/core"
import { createSvc, type Svc } from "@svc/embed"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
export const Burn = Command.make({
  id: "lead.burn", title: "Burn", summary: "Burn a lead", description: "Burns it.", whenToUse: "Never.",
  category: "leads", risk: "read", scope: "leads:read", input: Schema.Struct({}), output: Schema.Struct({}),
  failures: [], examples: [{ title: "Burn", input: {} }], run: () => Effect.succeed({})
})
export const svc = await createSvc({ databaseUrl: "memory:", commands: [Burn] })
export const named: Svc<typeof Burn> = svc
export const burn = svc.leads.burn
export const upsert = svc.leads.upsert
`

const optionsOf = (module: string, moduleResolution: string) => ({
  module,
  moduleResolution,
  target: "es2022",
  lib: ["es2023", "dom", "dom.iterable"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  declaration: true,
  outDir: "types"
})

/** What of TypeScript 5.9 is used; the repository has the types of another version. */
interface Compiler {
  readonly createLanguageService: (host: object) => {
    readonly getQuickInfoAtPosition: (
      file: string,
      position: number
    ) => { readonly documentation: ReadonlyArray<{ readonly text: string }> } | undefined
  }
  readonly parseJsonConfigFileContent: (
    json: object,
    system: object,
    folder: string
  ) => { readonly options: object; readonly fileNames: ReadonlyArray<string> }
  readonly ScriptSnapshot: { readonly fromString: (text: string) => object }
  readonly getDefaultLibFilePath: (options: object) => string
  readonly sys: Readonly<
    Record<"fileExists" | "readFile" | "readDirectory" | "directoryExists", (path: string) => unknown>
  >
}

/** What an editor shows at a place of a program. */
const shownAt = (folder: string, file: string, position: number): string => {
  const compiler: Compiler = createRequire(join(folder, "package.json"))("typescript")
  const json = { compilerOptions: optionsOf("nodenext", "nodenext"), files: [file] }
  const { fileNames, options } = compiler.parseJsonConfigFileContent(json, compiler.sys, folder)
  const { directoryExists, fileExists, readDirectory, readFile } = compiler.sys
  const service = compiler.createLanguageService({
    getScriptFileNames: () => fileNames,
    getScriptVersion: () => "1",
    getScriptSnapshot: (path: string) =>
      fileExists(path) === true ? compiler.ScriptSnapshot.fromString(String(readFile(path))) : undefined,
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => options,
    getDefaultLibFileName: compiler.getDefaultLibFilePath,
    directoryExists,
    fileExists,
    readDirectory,
    readFile
  })
  return (service.getQuickInfoAtPosition(join(folder, file), position)?.documentation ?? [])
    .map(({ text }) => text)
    .join()
}

const compiled = async (folder: string, module: string, moduleResolution: string): Promise<void> => {
  await writeFile(join(folder, "typed.ts"), program)
  const config = { compilerOptions: optionsOf(module, moduleResolution), files: ["typed.ts"] }
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config))
  await shell({ folder, env: process.env }, "node node_modules/typescript/bin/tsc -p tsconfig.json")
  const declared = await readFile(join(folder, "types/typed.d.ts"), "utf8")
  if (!/svc: (import\("@svc\/embed"\)\.)?Svc</.test(declared)) throw new Error(declared)
}

/** Compiles the program in a folder that npm filled, and in one that pnpm fills, and reads what an editor shows. */
export const typesIn = async (
  folder: string,
  own: ReadonlyArray<Packed>,
  attempt: (what: string, run: () => Promise<void>) => Promise<void>
): Promise<void> => {
  for (const [module, resolution] of [
    ["nodenext", "nodenext"],
    ["esnext", "bundler"]
  ] as const)
    await attempt(`TypeScript 5.9, ${resolution}`, () => compiled(folder, module, resolution))
  await attempt("TypeScript 5.9, in an editor", async () => {
    const shown = shownAt(folder, "typed.ts", program.lastIndexOf("upsert"))
    if (!shown.startsWith("Create or update a lead")) throw new Error(`It shows: ${shown}`)
  })
  await attempt("TypeScript 5.9, declarations with pnpm", async () => {
    const pnpm = join(folder, "pnpm")
    await mkdir(pnpm)
    const files = Object.fromEntries(own.map(({ name, tarball }) => [name, `file:${tarball}`]))
    const manifest = {
      type: "module",
      private: true,
      dependencies: {
        "@svc/core": files["@svc/core"],
        "@svc/embed": files["@svc/embed"],
        effect: "4.1.0",
        typescript: "5.9.3"
      }
    }
    await writeFile(join(pnpm, "package.json"), JSON.stringify(manifest))
    // JSON is YAML, too.
    await writeFile(join(pnpm, "pnpm-workspace.yaml"), JSON.stringify({ overrides: files }))
    await shell({ folder: pnpm, env: process.env }, "npx --yes pnpm@10 install --ignore-scripts")
    await compiled(pnpm, "nodenext", "nodenext")
  })
}
