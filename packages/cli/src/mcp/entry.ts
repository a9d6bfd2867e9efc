/**
 * The entry of this service in a client's configuration: a command to start, or a URL to connect to.
 *
 * A command names Node and this script by absolute paths, so that a start needs no package runner or shell. No entry ever
 * holds a key, only where to read one.
 */
import { resolve } from "node:path"
import { type Failure, InvalidInput, parseUrl } from "@svc/core"
import * as Result from "effect/Result"
import { type Client, type Environment, formats } from "./clients.ts"

/** The fields of an entry, as the client spells them. */
export type Entry = Readonly<Record<string, unknown>>

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
  ...(formats[client].hasType ? { type: "stdio" } : {}),
  command: process.execPath,
  args: [script, "mcp", ...(toolset === "default" ? [] : ["--toolset", toolset])],
  env: settingsOf(environment, folder, profile)
})

interface UrlOptions {
  readonly client: Client
  /** URL of the service, or of its `/mcp`. */
  readonly url: string
  readonly toolset: string
  /** Environment variable of the client with its key; undefined if the client signs in. */
  readonly keyVariable: string | undefined
}

const invalid = (message: string) => Result.fail(new InvalidInput({ message }))

/**
 * An entry that connects to a URL. Fails with INVALID_INPUT if the URL is none that can be written, or if the client cannot
 * take it.
 */
export const urlEntry = ({ client, keyVariable, toolset, url }: UrlOptions): Result.Result<Entry, Failure> => {
  const { hasType, keyFields, url: urlField } = formats[client]
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
