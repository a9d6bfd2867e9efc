/** The sources of the repository as text. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The repository's folder. */
export const root = join(import.meta.dirname, "..", "..")

/** A file by its path from the repository's folder. */
export interface Source {
  readonly path: string
  readonly text: string
}

const skipped = /(^|\/)(node_modules|dist|\.svc)(\/|$)/

/** Every file below a folder of the repository whose name has one of the endings; what is built or installed aside. */
export const sourcesIn = (folder: string, ...endings: ReadonlyArray<string>): ReadonlyArray<Source> => {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name}`)
    .filter((path) => !skipped.test(path) && endings.some((ending) => path.endsWith(ending)))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
}

/** The names of the packages, `core`, `http` and so on. */
export const packageNames: ReadonlyArray<string> = readdirSync(join(root, "packages"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/** What is imported or exported from where. `isType` when nothing is left of it at run time. */
export interface ImportLine {
  readonly from: string
  readonly isType: boolean
}

const statement =
  /^\s*(?:import|export)(\s+type)?\b[^;"'`]*?\bfrom\s+"([^"]+)"|^\s*import\s+"([^"]+)"|\bimport\(\s*"([^"]+)"/gm

/** The imports of a module, dynamic ones and re-exports included. */
export const importsOf = ({ text }: Source): ReadonlyArray<ImportLine> =>
  [...text.matchAll(statement)].map(([, type, from, bare, dynamic]) => ({
    from: from ?? bare ?? dynamic ?? "",
    isType: type !== undefined
  }))
