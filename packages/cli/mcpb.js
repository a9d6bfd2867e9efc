// Makes the bundle that desktop clients install: node packages/cli/mcpb.js [FILE]
//
// It holds `svc mcp` for a service elsewhere: the program without embedded database, and a manifest that asks for the URL
// and the key. A client keeps the key in the system's keychain and gives it to the program in its environment.
import { execFileSync } from "node:child_process"
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { packExtension } from "@anthropic-ai/mcpb"
import { makeCatalog } from "@svc/core"
import { commands } from "@svc/core/commands"
import { makeToolbox } from "@svc/mcp"

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const file = process.argv[2] ?? here("dist/svc.mcpb")
const { engines, license, version } = JSON.parse(await readFile(here("package.json"), "utf8"))

const manifest = {
  manifest_version: "0.3",
  name: "svc",
  display_name: "svc outreach workspace",
  version,
  description: "Find leads, write and check LinkedIn drafts, and read results. A person approves.",
  author: { name: "svc" },
  license,
  keywords: ["outreach", "leads", "linkedin"],
  server: {
    type: "node",
    entry_point: "server/bin/svc.js",
    mcp_config: {
      command: "node",
      // biome-ignore-start lint/suspicious/noTemplateCurlyInString: clients fill these in
      args: ["${__dirname}/server/bin/svc.js", "mcp"],
      env: { SVC_BASE_URL: "${user_config.url}", SVC_API_KEY: "${user_config.api_key}" }
      // biome-ignore-end lint/suspicious/noTemplateCurlyInString: clients fill these in
    }
  },
  user_config: {
    url: {
      type: "string",
      title: "URL",
      description: "URL of your svc server, such as https://svc.example.com",
      required: true
    },
    api_key: {
      type: "string",
      title: "API key",
      description: "A key of an AI agent, which can read and draft: svc keys create --org ID --actor-kind AI_AGENT",
      sensitive: true,
      required: true
    }
  },
  tools: makeToolbox(makeCatalog(commands), "default").definitions.map(({ description, name }) => ({
    name,
    description
  })),
  compatibility: { platforms: ["darwin", "linux", "win32"], runtimes: { node: engines.node } }
}

const folder = await mkdtemp(join(tmpdir(), "svc-mcpb-"))
try {
  const server = join(folder, "server")
  const bundle = join(server, "dist/bundle")
  execFileSync(process.execPath, [here("bundle.js"), bundle])
  // The embedded database.
  for (const name of ["pglite-snapshot.json", "pglite-snapshot.tar.gz"]) await rm(join(bundle, name))
  await cp(here("bin"), join(server, "bin"), { recursive: true })
  await cp(here("../../LICENSE"), join(folder, "LICENSE"))
  await writeFile(join(server, "package.json"), JSON.stringify({ name: "svc", version, type: "module" }))
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest, undefined, 2))
  if (!(await packExtension({ extensionPath: folder, outputPath: file, silent: true }))) {
    throw new Error("The bundle could not be packed. Its manifest does not follow the schema.")
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
