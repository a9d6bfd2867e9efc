// For the bundle: an import of a name from a package's entry point becomes one of the module that declares it. So a short
// command runs the modules that it needs, and not everything that an entry point names.
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"

const statement = /^(import|export)( type)? \{([^}]*)\} from "([^"]+)"$/gm

/** What a module declares and exports. */
const declared = /^export (?:class|const|function) (\w+)/gm

/** Entry points of core that are modules themselves. */
const files = new Set(["commands", "failures", "names"])

const namesOf = (list) =>
  list
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "" && !item.startsWith("type "))
    .map((item) => {
      const [name, local = name] = item.split(" as ")
      return { name, local }
    })

/** Where an entry point has each of its names from: `name` is undefined where it is a whole module. */
const readEntry = async (file) => {
  const text = await readFile(file, "utf8")
  const origins = new Map()
  for (const [, kind, type, list, from] of text.matchAll(statement)) {
    if (kind !== "export" || type !== undefined) continue
    for (const { local, name } of namesOf(list)) origins.set(local, { file: join(dirname(file), from), name })
  }
  for (const [, local, from] of text.matchAll(/^export \* as (\w+) from "([^"]+)"$/gm)) {
    origins.set(local, { file: join(dirname(file), from), name: undefined })
  }
  for (const [, from] of text.matchAll(/^export \* from "([^"]+)"$/gm)) {
    const whole = join(dirname(file), from)
    for (const [, name] of (await readFile(whole, "utf8")).matchAll(declared)) origins.set(name, { file: whole, name })
  }
  return origins
}

/** The plugin; `packages` is the folder of the packages. */
export const directImports = (packages) => ({
  name: "direct-imports",
  setup: (build) => {
    const entries = new Map()
    const entryOf = (specifier) => {
      const [, name, room] = /^@svc\/(\w+)(?:\/(\w+))?$/.exec(specifier) ?? []
      if (name === undefined || (name === "core" && files.has(room))) return undefined
      if (!entries.has(specifier))
        entries.set(specifier, readEntry(join(packages, name, "src", room ?? "", "index.ts")))
      return entries.get(specifier)
    }
    build.onLoad({ filter: /packages\/\w+\/src\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8")
      const found = [...text.matchAll(statement)].filter(([, kind]) => kind === "import")
      let contents = text
      for (const [line, , type, list, specifier] of found) {
        const origins = type === undefined ? await entryOf(specifier) : undefined
        if (origins === undefined) continue
        const lines = namesOf(list).map(({ local, name }) => {
          const origin = origins.get(name)
          if (origin === undefined) return `import { ${name} as ${local} } from ${JSON.stringify(specifier)}`
          const clause = origin.name === undefined ? `* as ${local}` : `{ ${origin.name} as ${local} }`
          return `import ${clause} from ${JSON.stringify(origin.file)}`
        })
        contents = contents.replace(line, lines.join("; "))
      }
      return { contents, loader: "ts", resolveDir: dirname(path) }
    })
  }
})
