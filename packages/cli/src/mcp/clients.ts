/**
 * Programs that agents run in, and where each keeps its list of servers.
 *
 * The entry names this Node and this script by their whole paths: no package runner, so no download at each start and no
 * trouble with shells. It never holds a key: only where one is read from. Source: ecosystem 1.4, 6.
 */
import { homedir } from "node:os"
import { dirname, join, resolve } from "node:path"

/** The programs that are known. */
export const clients = ["claude-code", "claude-desktop", "cursor", "vscode", "codex"] as const

/** A program that is known. */
export type Client = (typeof clients)[number]

/** How to start the server. */
export interface Entry {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
}

/** A program's list of servers. */
export interface ClientFile {
  readonly path: string
  readonly format: "json" | "toml"
  /** Name of the object that holds the servers. */
  readonly section: string
}

type Environment = Readonly<Record<string, string | undefined>>

const desktopFolder = (environment: Environment, home: string, platform: NodeJS.Platform): string => {
  if (platform === "darwin") return join(home, "Library", "Application Support")
  if (platform === "win32") return environment["APPDATA"] ?? join(home, "AppData", "Roaming")
  return environment["XDG_CONFIG_HOME"] ?? join(home, ".config")
}

/** Where a program keeps its list: in the project for those that have one there, else in the user's home. */
export const clientFile = (
  client: Client,
  environment: Environment,
  folder: string,
  platform: NodeJS.Platform = process.platform
): ClientFile => {
  const home = environment["HOME"] ?? environment["USERPROFILE"] ?? homedir()
  switch (client) {
    case "claude-code":
      return { path: join(folder, ".mcp.json"), format: "json", section: "mcpServers" }
    case "claude-desktop": {
      const path = join(desktopFolder(environment, home, platform), "Claude", "claude_desktop_config.json")
      return { path, format: "json", section: "mcpServers" }
    }
    case "cursor":
      return { path: join(home, ".cursor", "mcp.json"), format: "json", section: "mcpServers" }
    case "vscode":
      return { path: join(folder, ".vscode", "mcp.json"), format: "json", section: "servers" }
    case "codex":
      return {
        path: join(environment["CODEX_HOME"] ?? join(home, ".codex"), "config.toml"),
        format: "toml",
        section: "mcp_servers"
      }
  }
}

/** Settings that the server must find as they are here, wherever its program starts it. Addresses with a password stay out. */
const settingsOf = (environment: Environment, folder: string): Readonly<Record<string, string>> => {
  const { SVC_API_KEY_FILE: keyFile, SVC_BASE_URL: base, SVC_DATABASE_URL: database } = environment
  const given = (text: string | undefined): text is string => text !== undefined && text !== ""
  const embedded = given(database) ? /^pglite:(.+)$/.exec(database)?.[1] : "./.svc/data"
  return {
    ...(given(base) && !new URL(base).password ? { SVC_BASE_URL: base } : {}),
    ...(given(base) || embedded === undefined ? {} : { SVC_DATABASE_URL: `pglite:${resolve(folder, embedded)}` }),
    ...(given(keyFile) ? { SVC_API_KEY_FILE: resolve(folder, keyFile) } : {})
  }
}

/** The entry of this installation. */
export const entryOf = (environment: Environment, folder: string, script: string, toolset: string): Entry => ({
  command: process.execPath,
  args: [resolve(folder, script), "mcp", ...(toolset === "default" ? [] : ["--toolset", toolset])],
  env: settingsOf(environment, folder)
})

/** The folder that must exist for a program's list. */
export const folderOf = ({ path }: ClientFile): string => dirname(path)
