/** All that the executable can do, each part loaded when it is asked for. The bundle makes one file of it. */

/** Runs a command line; answers the exit code. */
export const run = async (args: ReadonlyArray<string>): Promise<number> => (await import("./run.ts")).run(args)

/** Serves an agent over standard input and output; answers the exit code. */
export const runStdio: typeof import("./mcp/stdio.ts").runStdio = async (options) =>
  (await import("./mcp/stdio.ts")).runStdio(options)
