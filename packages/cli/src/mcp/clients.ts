/**
 * MCP clients, and the files with their servers.
 *
 * The entry names Node and this script by absolute paths, so that a start needs no package runner or shell. It never holds
 * a key, only where to read one.
 */

import { homedir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { parseUrl } from "@svc/core"

/** Supported clients. */
export const clients = ["claude-code", "claude-desktop", "cursor", "vscode", "codex"] as const

/** A supported client. */
export type Client = (typeof clients)[number]

/** The entry of a server. */
export interface Entry {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
}

/** The configuration file of a client. */
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

/** The configuration file of a client, in the project if the client supports that. */
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

/** Whether a URL may be written to the file: only without a password. */
const hasNoPassword = (url: string): boolean => parseUrl(url)?.password === ""

/**
 * Settings for the entry, so that the server works in any folder: the URL, profile or embedded folder of the service, and
 * the file with the key. Never a password.
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
    ...(base !== undefined && hasNoPassword(base) ? { SVC_BASE_URL: base } : {}),
    ...(profile === undefined ? {} : { SVC_PROFILE: profile }),
    ...(profile === undefined || configuration === undefined ? {} : { XDG_CONFIG_HOME: configuration }),
    ...(here && embedded !== undefined ? { SVC_DATABASE_URL: `pglite:${resolve(folder, embedded)}` } : {}),
    ...(here && databaseFile !== undefined ? { SVC_DATABASE_URL_FILE: resolve(folder, databaseFile) } : {}),
    ...(keyFile === undefined ? {} : { SVC_API_KEY_FILE: resolve(folder, keyFile) })
  }
}

/** Options of an entry. */
interface EntryOptions {
  readonly environment: Environment
  readonly folder: string
  /** Absolute path of this script. */
  readonly script: string
  readonly toolset: string
  /** The selected profile, if any. */
  readonly profile: string | undefined
}

/** The entry of this installation. */
export const entryOf = ({ environment, folder, profile, script, toolset }: EntryOptions): Entry => ({
  command: process.execPath,
  args: [script, "mcp", ...(toolset === "default" ? [] : ["--toolset", toolset])],
  env: settingsOf(environment, folder, profile)
})

/** The folder of a configuration file. */
export const folderOf = ({ path }: ClientFile): string => dirname(path)
