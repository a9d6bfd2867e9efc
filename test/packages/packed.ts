/** The packages as npm would publish them, and folders that have them installed. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { root } from "../support/sources.ts"

const run = promisify(execFile)

/** A packed package. */
export interface Packed {
  readonly name: string
  readonly tarball: string
  readonly manifest: {
    readonly dependencies?: Readonly<Record<string, string>>
    readonly peerDependencies?: Readonly<Record<string, string>>
    readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>
    readonly [field: string]: unknown
  }
}

/** Builds what a pack holds, which takes a second where it is built already. */
const build = async (): Promise<void> => {
  await run(process.execPath, ["node_modules/typescript/bin/tsc", "-b"], { cwd: root })
  await run(process.execPath, ["packages/http/bundle.js"], { cwd: root })
}

/** Packs every public package into the folder. */
export const packAll = async (folder: string): Promise<ReadonlyArray<Packed>> => {
  await build()
  const names = (await readdir(join(root, "packages"), { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const workspaces = names.flatMap(({ name }) => ["-w", `packages/${name}`])
  const { stdout } = await run(
    "npm",
    ["pack", "--ignore-scripts", "--json", "--pack-destination", folder, ...workspaces],
    {
      cwd: root,
      maxBuffer: 100_000_000
    }
  )
  const packed: unknown = JSON.parse(stdout)
  return Promise.all(
    (Array.isArray(packed) ? packed : Object.values(Object(packed))).map(async ({ filename, name }) => ({
      name: String(name),
      tarball: join(folder, String(filename)),
      manifest: JSON.parse(
        await readFile(join(root, "packages", String(name).replace(/^.*\//, ""), "package.json"), "utf8")
      )
    }))
  )
}

const named = (packed: ReadonlyArray<Packed>, name: string): Packed | undefined =>
  packed.find((one) => one.name === name)

/** What npm would install with a package: our own packages, and those of others. Optional ones are left out. */
const needsOf = (packed: ReadonlyArray<Packed>, name: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(name)) return found
  found.add(name)
  const { dependencies, peerDependencies, peerDependenciesMeta } = named(packed, name)?.manifest ?? {}
  const peers = Object.keys(peerDependencies ?? {}).filter((peer) => peerDependenciesMeta?.[peer]?.optional !== true)
  for (const need of [...Object.keys(dependencies ?? {}), ...peers]) needsOf(packed, need, found)
  return found
}

/** A folder with these packages installed, and what they need linked from here, so that no registry is asked. */
export const installed = async (packed: ReadonlyArray<Packed>, ...names: ReadonlyArray<string>) => {
  const folder = await mkdtemp(join(tmpdir(), "svc-host-"))
  await writeFile(join(folder, "package.json"), '{ "type": "module" }\n')
  for (const name of new Set(names.flatMap((one) => [...needsOf(packed, one)]))) {
    const place = join(folder, "node_modules", name)
    const own = named(packed, name)
    if (own === undefined) {
      const source = join(root, "node_modules", name)
      if (!existsSync(source)) throw new Error(`${name} is not installed here`)
      await mkdir(dirname(place), { recursive: true })
      await symlink(source, place)
    } else {
      await mkdir(place, { recursive: true })
      await run("tar", ["xzf", own.tarball, "--strip-components=1", "-C", place])
    }
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
