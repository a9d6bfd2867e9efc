/** The official clients, old and new, behind one interface. */
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from "@modelcontextprotocol/client"
import { StdioClientTransport as NewStdio } from "@modelcontextprotocol/client/stdio"
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { svcBundle } from "./svcBundle.ts"

/** What a call of a tool answered. */
export interface ToolAnswer {
  readonly isError: boolean
  /** What the client saw as `structuredContent`. */
  readonly structured: Readonly<Record<string, unknown>> | undefined
  /** The output, from wherever it came; undefined for errors. */
  readonly data: Readonly<Record<string, unknown>> | undefined
  readonly texts: ReadonlyArray<string>
}

/** A connected client. */
export interface McpClient {
  /** The revision that was agreed on. */
  readonly revision: string | undefined
  readonly instructions: string | undefined
  readonly tools: () => Promise<ReadonlyArray<Readonly<Record<string, unknown>> & { readonly name: string }>>
  readonly call: (name: string, args?: Readonly<Record<string, unknown>>) => Promise<ToolAnswer>
  readonly read: (uri: string) => Promise<unknown>
  readonly listed: () => Promise<{
    readonly resources: ReadonlyArray<string>
    readonly templates: ReadonlyArray<string>
    readonly prompts: ReadonlyArray<string>
  }>
  readonly prompt: (name: string, args: Record<string, string>) => Promise<string>
  readonly complete: (prompt: string, argument: string, value: string) => Promise<ReadonlyArray<string>>
  readonly close: () => Promise<void>
}

/** How to reach a server. `fetch` stands for the network. */
export type Reach =
  | { readonly url: string; readonly key: string; readonly query?: string; readonly fetch?: typeof fetch }
  | { readonly env: Readonly<Record<string, string>>; readonly cwd: string }

/** The clients: the old one, which begins with `initialize`, and the new one, which asks what is served. */
export const clientKinds = ["sdk 1.32", "client 2.4"] as const

/** A client. */
export type ClientKind = (typeof clientKinds)[number]

const info = { name: "svc tests", version: "1.0.0" }

const stdioOptions = async ({ cwd, env }: Extract<Reach, { env: unknown }>) => ({
  command: process.execPath,
  args: [await svcBundle(), "mcp"],
  env: { PATH: process.env["PATH"] ?? "", NODE_NO_WARNINGS: "1", ...env },
  cwd
})

const httpOptions = ({ fetch, key }: Extract<Reach, { url: string }>) => ({
  requestInit: { headers: { authorization: `Bearer ${key}` } },
  ...(fetch === undefined ? {} : { fetch })
})

/** What the user of a client does with a question: the parameters of `elicitation/create`, and its result. */
export interface User {
  readonly modes: ReadonlyArray<"form" | "url">
  readonly answer: (
    params: Readonly<Record<string, unknown>>,
    /** Aborted when the server takes the question back; revisions with a handshake only. */
    signal?: AbortSignal
  ) => Promise<{
    readonly action: "accept" | "decline" | "cancel"
    readonly content?: Record<string, string>
  }>
}

const capabilitiesOf = ({ modes }: User) => ({
  elicitation: Object.fromEntries(modes.map((mode) => [mode, {}]))
})

const connectedOld = async (reach: Reach, user: User | undefined) => {
  const client = new OldClient(info, user === undefined ? {} : { capabilities: capabilitiesOf(user) })
  if (user !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => user.answer({ ...params }, signal))
  const transport =
    "url" in reach
      ? new OldHttp(new URL(`${reach.url}/mcp${reach.query ?? ""}`), httpOptions(reach))
      : new OldStdio(await stdioOptions(reach))
  // Its own transport types do not agree with exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return { client, revision: undefined }
}

const connectedNew = async (reach: Reach, user: User | undefined) => {
  const capabilities = user === undefined ? {} : { capabilities: capabilitiesOf(user) }
  const client = new NewClient(info, { versionNegotiation: { mode: "auto" }, ...capabilities })
  if (user !== undefined) client.setRequestHandler("elicitation/create", ({ params }) => user.answer({ ...params }))
  await client.connect(
    "url" in reach
      ? new NewHttp(new URL(`${reach.url}/mcp${reach.query ?? ""}`), httpOptions(reach))
      : new NewStdio(await stdioOptions(reach))
  )
  return { client, revision: client.getNegotiatedProtocolVersion() }
}

/** Connects a client; without a user it can ask nobody. */
export const connect = async (kind: ClientKind, reach: Reach, user?: User): Promise<McpClient> => {
  const { client, revision } = kind === "sdk 1.32" ? await connectedOld(reach, user) : await connectedNew(reach, user)
  return {
    revision,
    instructions: client.getInstructions(),
    tools: async () => (await client.listTools()).tools,
    call: async (name, args = {}) => {
      const answer = await client.callTool({ name, arguments: { ...args } })
      const content: ReadonlyArray<{ readonly text?: unknown }> = Array.isArray(answer.content) ? answer.content : []
      const texts = content.map(({ text }) => String(text))
      return {
        isError: answer.isError === true,
        structured: answer.structuredContent === undefined ? undefined : Object(answer.structuredContent),
        data: answer.isError === true ? undefined : Object(answer.structuredContent ?? JSON.parse(texts[0] ?? "")),
        texts
      }
    },
    read: async (uri) => {
      const { contents } = await client.readResource({ uri })
      const [first] = contents
      return first !== undefined && "text" in first ? JSON.parse(String(first.text)) : undefined
    },
    listed: async () => ({
      resources: (await client.listResources()).resources.map(({ uri }) => uri),
      templates: (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      prompts: (await client.listPrompts()).prompts.map(({ name }) => name)
    }),
    prompt: async (name, args) => {
      const { messages } = await client.getPrompt({ name, arguments: args })
      return messages.map(({ content }) => ("text" in content ? content.text : "")).join("\n")
    },
    complete: async (prompt, argument, value) => {
      const ref = { type: "ref/prompt" as const, name: prompt }
      return (await client.complete({ ref, argument: { name: argument, value } })).completion.values
    },
    close: () => client.close()
  }
}
