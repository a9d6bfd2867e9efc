import { Buffer } from "node:buffer"
import type { Duplex } from "node:stream"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { PGlite } from "@electric-sql/pglite"
import { makePgliteStream, type PgliteStream } from "#postgres/PgliteStream.ts"

const frame = (type: string, ...parts: ReadonlyArray<string | Buffer>): Buffer => {
  const body = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(`${part}\0`) : part)))
  const header = Buffer.alloc(type.length + 4, type)
  header.writeUInt32BE(body.length + 4, type.length)
  return Buffer.concat([header, body])
}
const int = (bytes: 2 | 4, value: number): Buffer => {
  const buffer = Buffer.alloc(bytes)
  if (bytes === 2) buffer.writeInt16BE(value)
  else buffer.writeInt32BE(value)
  return buffer
}
const startup = frame("", int(4, 196608), "user", "svc", Buffer.alloc(1))
const sync = frame("S")
const query = (sql: string): Buffer => frame("Q", sql)
/** An extended cycle without parameters; `name` keeps the statement. */
const cycle = (sql: string, name = ""): Buffer =>
  Buffer.concat([
    frame("P", name, sql, int(2, 0)),
    frame("B", "", name, int(2, 0), int(2, 0), int(2, 0)),
    frame("E", "", int(4, 0)),
    sync
  ])

/** Talks to the bridge in bytes, as a client does, and collects the frames that come back. */
const talk = (wire: PgliteStream) => {
  const socket: Duplex = wire.connect()
  const frames: Array<{ readonly type: string; readonly body: Buffer }> = []
  let rest = Buffer.alloc(0)
  let wake = () => {}
  socket.on("error", () => {})
  socket.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length >= 1 + rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1)
      frames.push({ type: rest.toString("latin1", 0, 1), body: rest.subarray(5, end) })
      rest = rest.subarray(end)
    }
    wake()
  })
  /** The frames up to and including the n-th ReadyForQuery from now. */
  const untilReady = async (n = 1): Promise<Array<{ readonly type: string; readonly body: Buffer }>> => {
    for (;;) {
      const ends = frames.flatMap(({ type }, index) => (type === "Z" ? [index] : []))
      const end = ends[n - 1]
      if (end !== undefined) return frames.splice(0, end + 1)
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  return { socket, frames, untilReady, send: (bytes: Buffer) => void socket.write(bytes) }
}
const values = (frames: ReadonlyArray<{ readonly type: string; readonly body: Buffer }>): ReadonlyArray<string> =>
  frames.filter(({ type }) => type === "D").map(({ body }) => body.toString("utf8", 6))
const status = (frames: ReadonlyArray<{ readonly type: string; readonly body: Buffer }>): string | undefined =>
  frames.at(-1)?.body.toString()
const errorCode = (frames: ReadonlyArray<{ readonly type: string; readonly body: Buffer }>): string | undefined => {
  const error = frames.find(({ type }) => type === "E")
  return error?.body
    .toString("utf8")
    .split("\0")
    .find((field) => field.startsWith("C"))
    ?.slice(1)
}
const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

describe("PgliteStream", () => {
  let database: PGlite
  let wire: PgliteStream
  beforeAll(async () => {
    database = await PGlite.create()
    await database.exec("create table t (n int)")
    wire = makePgliteStream(database)
  })
  afterAll(async () => {
    await wire.close()
    await database.close()
  })

  const open = async () => {
    const client = talk(wire)
    client.send(startup)
    await client.untilReady()
    return client
  }

  it("understands frames however the chunks fall", async () => {
    const client = talk(wire)
    const bytes = Buffer.concat([
      startup,
      cycle("select 'eins'"),
      query("select 'zwei'; select 'drei'"),
      cycle("select 'vier'")
    ])
    for (let at = 0; at < bytes.length; at += 1) client.send(bytes.subarray(at, at + 1))
    const answer = await client.untilReady(4)
    assert.deepStrictEqual(values(answer), ["eins", "zwei", "drei", "vier"])

    const whole = talk(wire)
    whole.send(bytes)
    assert.deepStrictEqual(values(await whole.untilReady(4)), ["eins", "zwei", "drei", "vier"])
    for (const { socket } of [client, whole]) socket.end(frame("X"))
  })

  it("skips the rest of a failed cycle, and only that", async () => {
    const client = await open()
    const failing = Buffer.concat([
      frame("P", "", "select 1/0", int(2, 0)),
      frame("B", "", "", int(2, 0), int(2, 0), int(2, 0)),
      frame("E", "", int(4, 0)),
      frame("P", "", "nonsense", int(2, 0)),
      sync
    ])
    client.send(Buffer.concat([failing, cycle("select 'after'")]))
    const answer = await client.untilReady(2)
    assert.strictEqual(errorCode(answer), "22012")
    assert.strictEqual(answer.filter(({ type }) => type === "E").length, 1)
    assert.deepStrictEqual(values(answer), ["after"])
    client.socket.destroy()
  })

  it("keeps others out of a transaction until it ends, first come first served", async () => {
    const [a, b, c] = [await open(), await open(), await open()]
    a.send(query("begin; insert into t values (1)"))
    assert.strictEqual(status(await a.untilReady()), "T")
    b.send(cycle("select count(*)::text from t"))
    await pause(20)
    c.send(cycle("insert into t values (2)"))
    await pause(20)
    assert.isEmpty(b.frames)
    assert.isEmpty(c.frames)
    a.send(query("rollback"))
    assert.strictEqual(status(await a.untilReady()), "I")
    assert.deepStrictEqual(values(await b.untilReady()), ["0"])
    assert.strictEqual(status(await c.untilReady()), "I")
    for (const { socket } of [a, b, c]) socket.destroy()
  })

  it("rolls back what a lost connection left open, also after a failed or cut-off cycle", async () => {
    for (const last of [
      query("insert into t values (100)"),
      query("select 1/0"),
      Buffer.concat([frame("P", "", "nonsense", int(2, 0)), frame("H")])
    ]) {
      const [lost, next] = [await open(), await open()]
      lost.send(query("begin; insert into t values (99)"))
      await lost.untilReady()
      lost.send(last)
      await pause(20)
      next.send(cycle("select count(*)::text from t where n >= 99"))
      lost.socket.destroy()
      const answer = await next.untilReady()
      assert.deepStrictEqual(values(answer), ["0"])
      assert.strictEqual(status(answer), "I")
      next.socket.destroy()
    }
  })

  it("drops the commands of a connection that left before its turn", async () => {
    const [a, b, c] = [await open(), await open(), await open()]
    a.send(query("begin"))
    await a.untilReady()
    b.send(cycle("insert into t values (77)"))
    await pause(10)
    b.socket.destroy()
    a.send(query("commit"))
    await a.untilReady()
    c.send(cycle("select count(*)::text from t where n = 77"))
    assert.deepStrictEqual(values(await c.untilReady()), ["0"])
    for (const { socket } of [a, c]) socket.destroy()
  })

  it("forgets the prepared statements of a closed connection", async () => {
    const [a, b] = [await open(), await open()]
    a.send(cycle("select 'kept'", "statement_a"))
    await a.untilReady()
    const count = cycle("select count(*)::text from pg_prepared_statements where name = 'statement_a'")
    b.send(count)
    assert.deepStrictEqual(values(await b.untilReady()), ["1"])
    a.socket.end(frame("X"))
    await pause(10)
    b.send(count)
    assert.deepStrictEqual(values(await b.untilReady()), ["0"])
    b.socket.destroy()
  })

  it("cancels a command that waits, and only with the right secret", async () => {
    const [a, b] = [await open(), talk(wire)]
    b.send(startup)
    const key = (await b.untilReady()).find(({ type }) => type === "K")?.body ?? Buffer.alloc(8)
    a.send(query("begin"))
    await a.untilReady()
    b.send(cycle("insert into t values (55)"))
    await pause(10)
    const wrong = talk(wire)
    wrong.send(frame("", int(4, 80877102), key.subarray(0, 4), int(4, 0)))
    await pause(10)
    assert.isEmpty(b.frames)
    const right = talk(wire)
    right.send(frame("", int(4, 80877102), key))
    const answer = await b.untilReady()
    assert.strictEqual(errorCode(answer), "57014")
    a.send(query("commit"))
    await a.untilReady()
    b.send(cycle("select count(*)::text from t where n = 55"))
    assert.deepStrictEqual(values(await b.untilReady()), ["0"])
    for (const { socket } of [a, b]) socket.destroy()
  })

  it("refuses encryption and then greets, and ends a connection that talks nonsense", async () => {
    const polite = wire.connect()
    polite.write(frame("", int(4, 80877103)))
    const [no] = await new Promise<ReadonlyArray<Buffer>>((resolve) =>
      polite.once("data", (chunk: Buffer) => resolve([chunk]))
    )
    assert.strictEqual(no?.toString(), "N")
    polite.write(startup)
    const welcome = await new Promise<Buffer>((resolve) => polite.once("data", resolve))
    assert.strictEqual(welcome.toString("latin1", 0, 1), "R")
    polite.destroy()
    for (const nonsense of [Buffer.from("GET / HTTP/1.1\r\n\r\n"), Buffer.alloc(8), frame("", int(4, 42))]) {
      const rude = wire.connect()
      const closed = new Promise<void>((resolve) => rude.once("close", () => resolve()))
      rude.on("error", () => {})
      rude.write(nonsense)
      await closed
    }
    const still = await open()
    still.send(cycle("select 'fine'"))
    assert.deepStrictEqual(values(await still.untilReady()), ["fine"])
    still.socket.destroy()
  })
})
