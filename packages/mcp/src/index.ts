/** The agent protocol over the catalogue: tools, resources, prompts; over HTTP and over standard input and output. */
export { type AllowedHosts, answerPost, refuseHost } from "./overHttp.ts"
export { serveLines } from "./overStdio.ts"
export type { Parts } from "./Server.ts"
export { makeToolbox, type Toolbox, tokensOf } from "./Toolbox.ts"
export { parseToolset, type Toolset } from "./toolsets.ts"
export { type Workspace, workspaceOf } from "./Workspace.ts"
