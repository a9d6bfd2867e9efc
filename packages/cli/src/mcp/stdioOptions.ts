/** Options of `svc mcp`. */
export interface StdioOptions {
  readonly toolset?: string
  readonly results?: string
  readonly baseUrl?: string
}

const flags: Readonly<Record<string, keyof StdioOptions>> = {
  "--toolset": "toolset",
  "--results": "results",
  "--base-url": "baseUrl"
}

/** Parses `svc mcp` with options; undefined for any other command line, such as subcommands and errors. */
export const stdioOptions = ([word, ...rest]: ReadonlyArray<string>): StdioOptions | undefined => {
  if (word !== "mcp") return undefined
  const options: { toolset?: string; results?: string; baseUrl?: string } = {}
  for (let index = 0; index < rest.length; index++) {
    const [flag = "", ...parts] = (rest[index] ?? "").split("=")
    const name = Object.hasOwn(flags, flag) ? flags[flag] : undefined
    const value = parts.length > 0 ? parts.join("=") : rest[++index]
    if (name === undefined || value === undefined || value === "" || value.startsWith("--")) return undefined
    options[name] = value
  }
  return options
}
