/** Sample requests of an operation, for curl and TypeScript. */
import { type Html, html } from "../html.ts"

/** Stands for the URL of the server until it is known. */
export const serverMark = "{{server}}"

/** A request that a sample sends. */
interface SampleRequest {
  readonly method: string
  readonly path: string
  readonly body: unknown
  /** The command, if the request runs one. */
  readonly command: string | undefined
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const curlOf = ({ body, method, path }: SampleRequest): string =>
  [
    `curl ${method === "GET" ? "" : `-X ${method} `}${serverMark}${path}`,
    '-H "Authorization: Bearer $SVC_API_KEY"',
    ...(body ? ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body, undefined, 2))}`] : [])
  ].join(" \\\n  ")

const typescriptOf = ({ body, command, method, path }: SampleRequest): string => {
  const input = JSON.stringify(body ?? {}, undefined, 2)
  if (command !== undefined) {
    return `import { createClient } from "@svc/client"

const svc = createClient({ url: "${serverMark}", key: process.env.SVC_API_KEY })
const { data } = await svc.commands.run("${command}", ${input})`
  }
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    `headers: {
    authorization: \`Bearer \${process.env.SVC_API_KEY}\`,${body ? '\n    "content-type": "application/json"' : ""}
  }`,
    ...(body ? [`body: JSON.stringify(${input.replaceAll("\n", "\n  ")})`] : [])
  ]
  return `const response = await fetch("${serverMark}${path}", {
  ${options.join(",\n  ")}
})
const { data, error } = await response.json()`
}

/** The samples. */
export const samplesHtml = (request: SampleRequest): Html =>
  html`<div class="s"><h3>curl</h3><pre tabindex="0"><code>${curlOf(request)}</code></pre><h3>TypeScript</h3><pre tabindex="0"><code>${typescriptOf(request)}</code></pre></div>`
