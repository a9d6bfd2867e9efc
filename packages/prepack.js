// Before `npm pack` in a package: installs and builds what is missing, and lends the package the licence.
import { execFileSync } from "node:child_process"
import { copyFileSync, existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const npm = (...args) => execFileSync("npm", args, { cwd: root, stdio: ["ignore", process.stderr, process.stderr] })

// Installing builds as well.
if (existsSync(`${root}/node_modules/typescript`)) npm("run", "build")
else npm("ci")
copyFileSync(`${root}/LICENSE`, "LICENSE")
