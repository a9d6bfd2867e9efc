/**
 * The commands of `svc` by their first word. Each room is loaded when its word is said, so that a short command loads
 * little; help and a word that nobody knows load them all.
 */
const catalogue = () => import("./commands/catalogue.ts")
const operator = () => import("./commands/operator.ts")
const server = () => import("./commands/server.ts")

/** In the order of the help. */
export const rooms = {
  dev: async () => (await server()).dev,
  serve: async () => (await server()).serve,
  commands: async () => (await catalogue()).commands,
  resources: async () => (await catalogue()).resources,
  whoami: async () => (await catalogue()).whoami,
  report: async () => (await import("./commands/report.ts")).report,
  events: async () => (await import("./commands/events.ts")).events,
  webhooks: async () => (await import("./commands/webhooks.ts")).webhooks,
  orgs: async () => (await operator()).orgs,
  keys: async () => (await operator()).keys,
  audit: async () => (await operator()).audit,
  mcp: async () => (await import("./commands/mcp.ts")).mcp,
  db: async () => (await import("./commands/database.ts")).db
}

/** The rooms that a command line needs. */
export const roomsFor = (args: ReadonlyArray<string>) => {
  const [word] = args
  const known = Object.entries(rooms).filter(([name]) => name === word)
  const needed = known.length === 0 ? Object.entries(rooms) : known
  return Promise.all(needed.map(([, load]) => load()))
}
