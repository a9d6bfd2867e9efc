/**
 * A load process: keeps connections busy for some seconds and prints what it measured as JSON. It writes requests to sockets
 * and reads no more of a response than it must, so that it takes little of the machine from the servers that it measures.
 */
import { connect, type Socket } from "node:net"
import { scenarios } from "./scenarios.ts"

/** The argument of the process. */
export interface LoadRequest {
  readonly scenario: string
  readonly url: string
  /** A key for each organization; connections take turns. */
  readonly keys: ReadonlyArray<string>
  readonly connections: number
  readonly seconds: number
  readonly leads: number
  readonly run: string
  /** Requests that were made before. */
  readonly first: number
}

/** What was measured: latencies in milliseconds. */
export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  readonly p50: number
  readonly p99: number
}

const request: LoadRequest = JSON.parse(process.argv[2] ?? "{}")
const { connections, first, keys, leads, run, seconds, url } = request
const scenario = scenarios[request.scenario]
if (scenario === undefined) throw new Error(`There is no scenario ${request.scenario}.`)
const { hostname, port } = new URL(url)
const sampleEvery = 50
const latencies: Array<number> = []
let next = first

const fail = (message: string): never => {
  process.stderr.write(`${request.scenario} at ${url}: ${message}\n`)
  process.exit(1)
}

const check = (status: string, header: string, body: string | undefined): void => {
  if (status !== "200") fail(`${header}\n\n${body ?? ""}`)
  if (body !== undefined && !scenario.isRight(body, JSON.parse(body))) fail(`wrong body: ${body.slice(0, 2_000)}`)
}

/** One connection until the end; resolves when its last response is complete. */
const keepBusy = (socket: Socket, number: number, deadline: number): Promise<void> =>
  new Promise((resolve) => {
    const organization = number % keys.length
    const head = ` HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${keys[organization]}\r\n`
    let sentAt = 0
    let missing = 0
    let status = ""
    let header = ""
    let kept: Array<Buffer> | undefined

    const send = (): void => {
      const place = { organization, leads, run, index: next++ }
      const start = `${scenario.method} ${scenario.path(place)}${head}`
      const body = scenario.body === undefined ? undefined : JSON.stringify(scenario.body(place))
      const text =
        body === undefined
          ? `${start}\r\n`
          : `${start}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
      sentAt = performance.now()
      socket.write(text, "latin1")
    }

    const finish = (): void => {
      const now = performance.now()
      latencies.push(now - sentAt)
      check(status, header, kept === undefined ? undefined : Buffer.concat(kept).toString("utf8"))
      if (now < deadline) send()
      else {
        socket.destroy()
        resolve()
      }
    }

    let isInBody = false
    let begun: Buffer | undefined
    socket.on("data", (chunk: Buffer) => {
      let body = chunk
      if (!isInBody) {
        const bytes = begun === undefined ? chunk : Buffer.concat([begun, chunk])
        const at = bytes.indexOf("\r\n\r\n")
        if (at === -1) {
          begun = bytes
          return
        }
        begun = undefined
        header = bytes.toString("latin1", 0, at)
        status = header.slice(9, 12)
        missing = Number(/content-length: (\d+)/i.exec(header)?.[1] ?? fail(`no length: ${header}`))
        kept = status !== "200" || latencies.length % sampleEvery === 0 ? [] : undefined
        body = bytes.subarray(at + 4)
        isInBody = true
      }
      missing -= body.length
      kept?.push(body)
      if (missing > 0) return
      if (missing < 0) fail("more bytes than announced")
      isInBody = false
      finish()
    })
    socket.on("error", (cause) => fail(String(cause)))
    socket.on("end", () => fail("the server closed a connection"))
    send()
  })

const open = (): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () => resolve(socket))
    socket.once("error", reject)
  })

const sockets = await Promise.all(Array.from({ length: connections }, open))
const started = performance.now()
const deadline = started + seconds * 1_000
await Promise.all(sockets.map((socket, number) => keepBusy(socket, number, deadline)))
const took = (performance.now() - started) / 1_000
latencies.sort((a, b) => a - b)
const at = (share: number): number => latencies[Math.floor((latencies.length - 1) * share)] ?? 0
const result: LoadResult = { requests: latencies.length, seconds: took, p50: at(0.5), p99: at(0.99) }
process.stdout.write(JSON.stringify(result))
