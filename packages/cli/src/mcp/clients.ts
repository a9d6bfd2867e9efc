/** MCP clients, where each keeps its servers, and how it spells them. */

import { homedir } from "node:os"
import { join, resolve } from "node:path"
import { type Failure, InvalidInput, parseUrl } from "@svc/core"
import type { Environment } from "@svc/embed/composition"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import type { Json } from "../Output.ts"

/** How a client spells a server. */
interface ClientFormat {
  /** JSON, if it is left out. */
  readonly format?: "json" | "toml"
  /** Name of the object that holds the servers. */
  readonly section: string
  /** Whether an entry names its transport in `type`. */
  readonly hasType?: boolean
  /** Name of the field with the URL of a server; undefined if its file takes only commands. */
  readonly url?: string
  /** The fields that send the key in an environment variable; undefined if its file has no such reference. */
  readonly keyFields?: (variable: string) => Readonly<Record<string, unknown>>
}

const bearer = (reference: (variable: string) => string) => (variable: string) => ({
  headers: { Authorization: `Bearer ${reference(variable)}` }
})

const inBraces = bearer((name) => `\${${name}}`)
const inEnvBraces = bearer((name) => `\${env:${name}}`)

/** The format of each client. */
const formats = {
  "claude-code": { section: "mcpServers", hasType: true, url: "url", keyFields: inBraces },
  "claude-desktop": { section: "mcpServers" },
  codex: { format: "toml", section: "mcp_servers", url: "url", keyFields: (name) => ({ bearer_token_env_var: name }) },
  cursor: { section: "mcpServers", url: "url", keyFields: inEnvBraces },
  "gemini-cli": { section: "mcpServers", url: "httpUrl", keyFields: inBraces },
  vscode: { section: "servers", hasType: true, url: "url", keyFields: inEnvBraces },
  windsurf: { section: "mcpServers", url: "serverUrl", keyFields: inEnvBraces },
  zed: { section: "context_servers", url: "url" }
} as const satisfies Readonly<Record<string, ClientFormat>>

/** A supported client. */
export type Client = keyof typeof formats

/** Supported clients. */
export const clients = Struct.keys(formats)

const formatOf = (client: Client): ClientFormat => formats[client]

/** The folder in which programs of this system keep their settings. */
const settingsFolder = (environment: Environment, home: string): string => {
  const { platform } = process
  if (platform === "darwin") return join(home, "Library", "Application Support")
  if (platform === "win32") return environment["APPDATA"] ?? join(home, "AppData", "Roaming")
  return environment["XDG_CONFIG_HOME"] ?? join(home, ".config")
}

/** The configuration file of a client, in the project if the client's servers are commonly kept there. */
export const clientFile = (client: Client, environment: Environment, folder: string) => {
  const { platform } = process
  const home = environment["HOME"] ?? environment["USERPROFILE"] ?? homedir()
  const settings = settingsFolder(environment, home)
  const paths: Readonly<Record<Client, string>> = {
    "claude-code": join(folder, ".mcp.json"),
    "claude-desktop": join(settings, "Claude", "claude_desktop_config.json"),
    codex: join(environment["CODEX_HOME"] ?? join(home, ".codex"), "config.toml"),
    cursor: join(home, ".cursor", "mcp.json"),
    "gemini-cli": join(home, ".gemini", "settings.json"),
    vscode: join(folder, ".vscode", "mcp.json"),
    windsurf: join(home, ".codeium", "windsurf", "mcp_config.json"),
    // On a Mac too, Zed reads ~/.config.
    zed:
      platform === "darwin"
        ? join(home, ".config", "zed", "settings.json")
        : join(settings, platform === "win32" ? "Zed" : "zed", "settings.json")
  }
  const { format = "json", section } = formatOf(client)
  return { path: paths[client], format, section }
}

/**
 * The words of the client's own command that adds the entry as the server `svc`; undefined if the client has none.
 *
 * Sources: the public documentation of each client, "mcp add-json", "mcp add" and "--add-mcp".
 */
export const addCommand = (client: Client, entry: Json) => {
  if (client === "claude-code") return ["claude", "mcp", "add-json", "--scope", "project", "svc", JSON.stringify(entry)]
  if (client === "vscode") return ["code", "--add-mcp", JSON.stringify({ name: "svc", ...entry })]
  if (client !== "codex") return undefined
  const { args, bearer_token_env_var: keyVariable, command, env, url } = entry
  if (typeof url === "string") {
    const key = typeof keyVariable === "string" ? ["--bearer-token-env-var", keyVariable] : []
    return ["codex", "mcp", "add", "svc", "--url", url, ...key]
  }
  const variables = Object.entries(Object(env)).flatMap(([name, value]) => ["--env", `${name}=${String(value)}`])
  return ["codex", "mcp", "add", "svc", ...variables, "--", String(command), ...(Array.isArray(args) ? args : [])]
}

/** Whether a URL may be written to the file: only without a password. */
const hasNoPassword = (url: string): boolean => parseUrl(url)?.password === ""

/**
 * Settings for the entry, so that the server works in any folder: the URL, profile or embedded folder of the service, and
 * the file with the key. Never a password.
 */
const settingsOf = (environment: Environment, folder: string, profile: string | undefined) => {
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

interface CommandOptions {
  readonly client: Client
  readonly environment: Environment
  readonly folder: string
  /** Absolute path of this script. */
  readonly script: string
  readonly toolset: string
  /** The selected profile, if any. */
  readonly profile: string | undefined
}

/** An entry that starts this installation. `env` names the service and the file with the key. */
export const commandEntry = ({ client, environment, folder, profile, script, toolset }: CommandOptions) => ({
  ...(formatOf(client).hasType ? { type: "stdio" } : {}),
  command: process.execPath,
  args: [script, "mcp", ...(toolset === "default" ? [] : ["--toolset", toolset])],
  env: settingsOf(environment, folder, profile)
})

/** The URL that a client connects to. */
export interface UrlOptions {
  readonly client: Client
  /** URL of the service, or of its `/mcp`. */
  readonly url: string
  readonly toolset: string
  /** Environment variable of the client with its key; undefined if the client signs in. */
  readonly keyVariable: string | undefined
}

const invalid = (message: string) => Result.fail(new InvalidInput({ message }))

/**
 * The fields of an entry that connects to a URL, as the client spells them. Fails with INVALID_INPUT if the URL is none that
 * can be written, or if the client cannot take it.
 */
export const urlEntry = ({ client, keyVariable, toolset, url }: UrlOptions): Result.Result<Json, Failure> => {
  const { hasType, keyFields, url: urlField } = formatOf(client)
  if (urlField === undefined) {
    return invalid(
      `The configuration file of ${client} takes no URLs. Add the URL in its settings, or leave out --url.`
    )
  }
  const parsed = parseUrl(url)
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    return invalid("--url must be an http or https URL, e.g. https://svc.example.com/mcp")
  }
  if (parsed.username !== "" || parsed.password !== "") {
    return invalid("--url must not contain a user name or password. Use --key-variable for a key.")
  }
  if (keyVariable !== undefined && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(keyVariable)) {
    return invalid("--key-variable must be the name of an environment variable, e.g. SVC_API_KEY")
  }
  if (keyVariable !== undefined && keyFields === undefined) {
    return invalid(
      `${client} reads no environment variables in its configuration. Leave out --key-variable and sign in.`
    )
  }
  if (parsed.pathname === "/") parsed.pathname = "/mcp"
  if (toolset !== "default") parsed.searchParams.set("toolset", toolset)
  return Result.succeed({
    ...(hasType ? { type: "http" } : {}),
    [urlField]: parsed.href,
    ...(keyVariable === undefined ? {} : keyFields?.(keyVariable))
  })
}
