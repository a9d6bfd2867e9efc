/** Entry points of the bundled program; each part is loaded on use. */

/** Runs a command line; resolves to the exit code. */
export const run = async (args: ReadonlyArray<string>): Promise<number> => (await import("./run.ts")).run(args)

/** Serves MCP over stdio; resolves to the exit code. */
export const runStdio: typeof import("./mcp/stdio.ts").runStdio = async (options) =>
  (await import("./mcp/stdio.ts")).runStdio(options)
