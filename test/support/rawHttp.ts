/** Speaks to a port in plain bytes, for requests that no HTTP client would write. */
import { connect, type Socket } from "node:net"

/** An answer as it came over the wire. */
export interface RawReply {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Opens a connection. */
export const openSocket = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" }, () => resolve(socket))
    socket.on("error", reject)
  })

/** Reads one answer that says its length, or ends with the connection. */
export const readRaw = (socket: Socket): Promise<RawReply> =>
  new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0)
    const parse = (ended: boolean): boolean => {
      const end = bytes.indexOf("\r\n\r\n")
      if (end === -1) return false
      const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n")
      const headers = new Map(
        lines.map((line) => {
          const colon = line.indexOf(":")
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
        })
      )
      const status = Number(first.split(" ")[1])
      if (status === 100) {
        bytes = bytes.subarray(end + 4)
        return parse(ended)
      }
      const body = bytes.subarray(end + 4)
      if (!ended && body.length < Number(headers.get("content-length") ?? Number.POSITIVE_INFINITY)) return false
      for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener)
      resolve({ status, headers, body: body.toString("utf8") })
      return true
    }
    const listeners = {
      data: (chunk: Buffer) => {
        bytes = Buffer.concat([bytes, chunk])
        parse(false)
      },
      close: () => void (parse(true) || reject(new Error(`closed after ${bytes.length} bytes`))),
      error: () => void parse(true)
    }
    for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener)
  })

/** Sends bytes on a connection of their own and reads the one answer. */
export const sendRaw = async (port: number, bytes: string | Uint8Array): Promise<RawReply> => {
  const socket = await openSocket(port)
  const reply = readRaw(socket)
  socket.write(bytes)
  try {
    return await reply
  } finally {
    socket.destroy()
  }
}
