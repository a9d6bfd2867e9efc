/** MCP clients, where each keeps its servers, and how it spells them. */
import { homedir } from "node:os"
import { join } from "node:path"

/** Supported clients. */
export const clients = [
  "claude-code",
  "claude-desktop",
  "codex",
  "cursor",
  "gemini-cli",
  "vscode",
  "windsurf",
  "zed"
] as const

/** A supported client. */
export type Client = (typeof clients)[number]

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The configuration file of a client. */
interface ClientFile {
  readonly path: string
  readonly format: "json" | "toml"
  /** Name of the object that holds the servers. */
  readonly section: string
}

/** How a client spells a server. */
interface ClientFormat {
  /** JSON, if it is left out. */
  readonly format?: ClientFile["format"]
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
export const formats: Readonly<Record<Client, ClientFormat>> = {
  "claude-code": { section: "mcpServers", hasType: true, url: "url", keyFields: inBraces },
  "claude-desktop": { section: "mcpServers" },
  codex: { format: "toml", section: "mcp_servers", url: "url", keyFields: (name) => ({ bearer_token_env_var: name }) },
  cursor: { section: "mcpServers", url: "url", keyFields: inEnvBraces },
  "gemini-cli": { section: "mcpServers", url: "httpUrl", keyFields: inBraces },
  vscode: { section: "servers", hasType: true, url: "url", keyFields: inEnvBraces },
  windsurf: { section: "mcpServers", url: "serverUrl", keyFields: inEnvBraces },
  zed: { section: "context_servers", url: "url" }
}

/** The folder in which programs of this system keep their settings. */
const settingsFolder = (environment: Environment, home: string, platform: NodeJS.Platform): string => {
  if (platform === "darwin") return join(home, "Library", "Application Support")
  if (platform === "win32") return environment["APPDATA"] ?? join(home, "AppData", "Roaming")
  return environment["XDG_CONFIG_HOME"] ?? join(home, ".config")
}

/** The configuration file of a client, in the project if the client's servers are commonly kept there. */
export const clientFile = (
  client: Client,
  environment: Environment,
  folder: string,
  platform: NodeJS.Platform = process.platform
): ClientFile => {
  const home = environment["HOME"] ?? environment["USERPROFILE"] ?? homedir()
  const settings = settingsFolder(environment, home, platform)
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
  const { format = "json", section } = formats[client]
  return { path: paths[client], format, section }
}

/**
 * The words of the client's own command that adds the entry as the server `svc`; undefined if the client has none.
 *
 * Sources: the public documentation of each client, "mcp add-json", "mcp add" and "--add-mcp".
 */
export const addCommand = (
  client: Client,
  entry: Readonly<Record<string, unknown>>
): ReadonlyArray<string> | undefined => {
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
