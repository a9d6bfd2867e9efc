// `npm run release -- VERSION` prepares a release: the version everywhere, an entry of the changelog, the packages in
// dist, and the README's program and `svc` run from them in a clean folder. It publishes nothing and commits
// nothing. Without VERSION it does all but the first two.
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { installed, packAll, root } from "./packed.js"

const [version] = process.argv.slice(2)
const say = (text) => process.stdout.write(`${text}\n`)
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim()
const npm = (...args) => execFileSync("npm", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] })

const rewrite = (file, change) => {
  const path = join(root, file)
  const text = readFileSync(path, "utf8")
  const changed = change(text)
  if (changed === text) throw new Error(`${file} has nothing to change`)
  writeFileSync(path, changed)
}

/** The new version in every manifest, in the dependencies between them, and in the source. */
const setVersion = (from, to) => {
  const manifests = git("ls-files", "package.json", "*/package.json").split("\n")
  for (const file of manifests) {
    rewrite(file, (text) =>
      text.replace(`"version": "${from}"`, `"version": "${to}"`).replaceAll(/("@svc\/\w+": )"[^"]+"/g, `$1"${to}"`)
    )
  }
  rewrite("packages/core/src/kernel/schema/Version.ts", (text) => text.replace(`"${from}"`, `"${to}"`))
  npm("install", "--package-lock-only", "--ignore-scripts", "--offline")
}

/** What was changed since the last release, newest first, as the commits say it. */
const writeChangelog = (to) => {
  const path = join(root, "packages/CHANGELOG.md")
  const before = existsSync(path) ? readFileSync(path, "utf8") : "# Changelog\n"
  const last = git("log", "-1", "--format=%H", "--", "packages/CHANGELOG.md")
  const titles = git("log", "--format=- %s", ...(last === "" ? [] : [`${last}..HEAD`]))
  const entry = `\n## ${to}, ${new Date().toISOString().slice(0, 10)}\n\n${titles}\n`
  writeFileSync(path, before.replace("# Changelog\n", `# Changelog\n${entry}`))
}

/** Runs the README's first program and the command line from the packages. */
const tryOut = async (packed) => {
  const [, program = ""] =
    /```js\n(import \{ createSvc[\s\S]*?)```/.exec(readFileSync(join(root, "README.md"), "utf8")) ?? []
  const { folder, remove } = await installed(packed, "@svc/embed", "@svc/cli")
  const node = (...args) => execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" }).trim()
  try {
    writeFileSync(join(folder, "program.js"), program)
    say(`The README's program prints ${node("program.js")}`)
    say(`svc --version prints ${node("node_modules/@svc/cli/bin/svc.js", "--version")}`)
  } finally {
    await remove()
  }
}

if (version !== undefined) {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) throw new Error(`${version} is not a version such as 0.2.0`)
  if (git("status", "--porcelain") !== "") throw new Error("Commit or put away your changes first.")
  setVersion(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version, version)
  writeChangelog(version)
}
npm("run", "build")
const into = join(root, "dist")
await rm(into, { recursive: true, force: true })
await mkdir(into)
const packed = await packAll(into)
say(`Packed ${packed.length} packages into dist`)
execFileSync(process.execPath, [join(root, "packages/cli/mcpb.js"), join(into, "svc.mcpb")])
say("Packed dist/svc.mcpb, which desktop clients install")
await tryOut(packed)
if (version !== undefined) say(`Read packages/CHANGELOG.md, commit, tag v${version}, and publish dist.`)
