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

/** Whether an address can be written down: one with a password cannot. */
const isPlain = (url: string): boolean => URL.canParse(url) && new URL(url).password === ""

/**
 * Settings that the server must find as they are here, wherever its program starts it: the service, by address, profile or
 * embedded folder, and the file that the key is in. Nothing with a password.
 */
const settingsOf = (
  environment: Environment,
  folder: string,
  profile: string | undefined
): Readonly<Record<string, string>> => {
  const given = (name: string): string | undefined => environment[name] || undefined
  const base = given("SVC_BASE_URL")
  const keyFile = given("SVC_API_KEY_FILE")
  const configuration = given("XDG_CONFIG_HOME")
  const databaseFile = given("SVC_DATABASE_URL_FILE")
  const database = given("SVC_DATABASE_URL") ?? (databaseFile === undefined ? "pglite:./.svc/data" : "")
  const embedded = /^pglite:(.+)$/.exec(database)?.[1]
  const here = base === undefined && profile === undefined
  return {
    ...(base !== undefined && isPlain(base) ? { SVC_BASE_URL: base } : {}),
    ...(profile === undefined ? {} : { SVC_PROFILE: profile }),
    ...(profile === undefined || configuration === undefined ? {} : { XDG_CONFIG_HOME: configuration }),
    ...(here && embedded !== undefined ? { SVC_DATABASE_URL: `pglite:${resolve(folder, embedded)}` } : {}),
    ...(here && databaseFile !== undefined ? { SVC_DATABASE_URL_FILE: resolve(folder, databaseFile) } : {}),
    ...(keyFile === undefined ? {} : { SVC_API_KEY_FILE: resolve(folder, keyFile) })
  }
}

/** What an entry is made of. */
export interface EntryOptions {
  readonly environment: Environment
  readonly folder: string
  /** This script, by its whole path. */
  readonly script: string
  readonly toolset: string
  /** The profile that is used here, when one is. */
  readonly profile: string | undefined
}

/** The entry of this installation. */
export const entryOf = ({ environment, folder, profile, script, toolset }: EntryOptions): Entry => ({
  command: process.execPath,
  args: [script, "mcp", ...(toolset === "default" ? [] : ["--toolset", toolset])],
  env: settingsOf(environment, folder, profile)
})

/** The folder that must exist for a program's list. */
export const folderOf = ({ path }: ClientFile): string => dirname(path)
