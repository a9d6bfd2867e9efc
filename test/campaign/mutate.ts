/** `npm run campaign -- NAME --mutate`: runs campaigns on copies of the repository with one fault each, which they must find. */
import { spawn } from "node:child_process"
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Mutation, mutations } from "./mutations.ts"

const root = join(import.meta.dirname, "../..")

const copied = ["packages", "test", "examples", "package.json", "tsconfig.json", "README.md", "LICENSE", "biome.json"]

/** What runs make anew. */
const isMade = /\/packages\/cli\/dist\/test-|\/test\/dist\/|\/node_modules\/\.vite/

/** Installed packages are linked to; links among our own stay relative, and so lead to the copy. */
const linkModules = async (from: string, to: string): Promise<void> => {
  await mkdir(to)
  for (const name of await readdir(from)) {
    const [here, there] = [join(from, name), join(to, name)]
    if ((await lstat(here)).isSymbolicLink()) await symlink(await readlink(here), there)
    else if (name.startsWith("@")) await linkModules(here, there)
    else await symlink(here, there)
  }
}

/** Puts the fault into a copy. Fails where its text does not occur exactly once. */
const spoil = async (folder: string, { file, replacement, text }: Mutation): Promise<void> => {
  const parts = (await readFile(join(folder, file), "utf8")).split(text)
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${text}`)
  await writeFile(join(folder, file), parts.join(replacement))
}

const outputOf = (folder: string, { campaign, cycles, scenes }: Mutation, flags: ReadonlyArray<string>) =>
  new Promise<string>((resolve, reject) => {
    const args = [join(folder, "test/campaign/run.js"), campaign, "--cycles", String(cycles), ...flags]
    const env = { ...process.env, ...(scenes === undefined ? {} : { SVC_CAMPAIGN_SCENES: scenes }) }
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] })
    let text = ""
    child.stdout.on("data", (chunk) => {
      text += String(chunk)
    })
    child.once("error", reject)
    child.once("close", () => resolve(text))
  })

/** Whether a campaign finds a fault, and nothing without it: prints what it says. */
const isFound = async (mutation: Mutation, flags: ReadonlyArray<string>): Promise<boolean> => {
  const folder = await mkdtemp(join(tmpdir(), "svc-mutant-"))
  try {
    const filter = (path: string) => !isMade.test(path)
    for (const name of copied) {
      await cp(join(root, name), join(folder, name), {
        recursive: true,
        verbatimSymlinks: true,
        preserveTimestamps: true,
        filter
      })
    }
    await linkModules(join(root, "node_modules"), join(folder, "node_modules"))
    const pattern = new RegExp(`^${mutation.campaign}: tried .*\\b${mutation.finds} (\\d+)`)
    const run = async () => {
      const said = (await outputOf(folder, mutation, flags)).trimEnd().split("\n").at(-1) || "It did not end."
      return { said, found: Number(pattern.exec(said)?.[1] ?? Number.NaN) }
    }
    const without = await run()
    await spoil(folder, mutation)
    const spoiled = await run()
    const isFound = without.found === 0 && spoiled.found > 0
    process.stdout.write(
      `${isFound ? "found" : "MISSED"}: ${mutation.fault}\n  ${spoiled.said}\n  without it, ${without.said}\n`
    )
    return isFound
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs the faults of the named campaigns, or all; returns the exit code. `flags` go to the campaigns. */
export const mutate = async (campaigns: ReadonlyArray<string>, flags: ReadonlyArray<string>): Promise<number> => {
  const unknown = campaigns.find((name) => !mutations.some(({ campaign }) => campaign === name))
  if (unknown !== undefined) {
    process.stderr.write(`No fault is known for the campaign ${unknown}. See test/campaign/mutations.ts.\n`)
    return 2
  }
  const chosen = mutations.filter(({ campaign }) => campaigns.length === 0 || campaigns.includes(campaign))
  let found = 0
  for (const mutation of chosen) if (await isFound(mutation, flags)) found++
  process.stdout.write(`${found} of ${chosen.length} faults found\n`)
  return found === chosen.length ? 0 : 1
}
