// The packages as npm would publish them, and folders that have them installed. No registry is asked.
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { mergeModules } from "./merge.js"

const run = promisify(execFile)

/** The folder of the repository. */
export const root = fileURLToPath(new URL("..", import.meta.url))

/** The names of the folders of the packages. */
const folders = async () =>
  (await readdir(join(root, "packages"), { withFileTypes: true })).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : []
  )

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional: boolean }>} [peerDependenciesMeta]
 * @property {string} [description]
 * @property {string} [license]
 *
 * @typedef {object} Packed
 * @property {string} name
 * @property {string} tarball
 * @property {Manifest} manifest
 */

/** Builds what a pack holds, which takes a second where it is built already. */
const build = async () => {
  await run(process.execPath, ["packages/postgres/sqlModule.js"], { cwd: root })
  await run(process.execPath, ["node_modules/typescript/bin/tsc", "-b"], { cwd: root })
  await run(process.execPath, ["packages/http/bundle.js"], { cwd: root })
  await run(process.execPath, ["packages/console/bundle.js"], { cwd: root })
}

/**
 * Puts what is packed of a built package into a folder of its own, with its modules merged.
 * @param {string} folder
 * @param {string} stage
 */
const staging = async (folder, stage) => {
  const from = join(root, "packages", folder)
  const place = join(stage, folder)
  /** @type {{ files: ReadonlyArray<string> }} */
  const { files } = JSON.parse(await readFile(join(from, "package.json"), "utf8"))
  const isMerged = folder !== "cli"
  const filter = (/** @type {string} */ path) =>
    !(isMerged && path.startsWith(join(from, "dist/")) && /\.js(\.map)?$/.test(path))
  for (const file of ["package.json", "README.md", ...files.filter((name) => !name.startsWith("!"))])
    await cp(join(from, file), join(place, file), { recursive: true, filter })
  if (isMerged) await mergeModules(from, place)
  return place
}

/**
 * Packs every package into a folder.
 * @param {string} into
 * @returns {Promise<ReadonlyArray<Packed>>}
 */
export const packAll = async (into) => {
  await build()
  const stage = await mkdtemp(join(tmpdir(), "svc-stage-"))
  const pack = async () => {
    const staged = await Promise.all((await folders()).map((folder) => staging(folder, stage)))
    const options = ["--ignore-scripts", "--json", "--pack-destination", into]
    return run("npm", ["pack", ...options, ...staged], { cwd: stage, maxBuffer: 100_000_000 })
  }
  const { stdout } = await pack().finally(() => rm(stage, { recursive: true }))
  /** @type {ReadonlyArray<{ name: string, filename: string }>} */
  const packed = Object.values(JSON.parse(stdout))
  return Promise.all(
    packed.map(async ({ filename, name }) => ({
      name,
      tarball: join(into, filename),
      manifest: JSON.parse(await readFile(join(root, "node_modules", name, "package.json"), "utf8"))
    }))
  )
}

/**
 * What npm would install for a package: our own packages, and those of others. Optional ones are left out.
 * @param {ReadonlyArray<Packed>} packed
 * @param {string} name
 * @param {Set<string>} found
 * @returns {ReadonlySet<string>}
 */
const needsOf = (packed, name, found = new Set()) => {
  if (found.has(name)) return found
  found.add(name)
  const { dependencies, peerDependencies, peerDependenciesMeta } = packed.find((one) => one.name === name)
    ?.manifest ?? { name }
  const peers = Object.keys(peerDependencies ?? {}).filter((peer) => peerDependenciesMeta?.[peer]?.optional !== true)
  for (const need of [...Object.keys(dependencies ?? {}), ...peers]) needsOf(packed, need, found)
  return found
}

/**
 * A new folder with these packages installed; what they need of others is linked from the repository.
 * @param {ReadonlyArray<Packed>} packed
 * @param {ReadonlyArray<string>} names
 */
export const installed = async (packed, ...names) => {
  const folder = await mkdtemp(join(tmpdir(), "svc-host-"))
  await writeFile(join(folder, "package.json"), '{ "type": "module" }\n')
  for (const name of new Set(names.flatMap((one) => [...needsOf(packed, one)]))) {
    const place = join(folder, "node_modules", name)
    const own = packed.find((one) => one.name === name)
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
