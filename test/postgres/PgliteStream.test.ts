import { Buffer } from "node:buffer"
import { once } from "node:events"
import type { Duplex } from "node:stream"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import { PGlite } from "@electric-sql/pglite"
import { makePgliteStream } from "#postgres/PgliteStream.ts"

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

const opened: Array<Duplex> = []

/** Speaks in bytes, as a client does, and collects the frames that come back. */
const talk = (connect: () => Duplex) => {
  const socket = connect()
  opened.push(socket)
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
/** Ends a connection as a client does, or breaks it. */
const terminate = ({ socket }: { readonly socket: Duplex }): void => void socket.end(frame("X"))
const destroy = ({ socket }: { readonly socket: Duplex }): void => void socket.destroy()

describe("PgliteStream", () => {
  let database: PGlite
  let connect: () => Duplex
  beforeAll(async () => {
    database = await PGlite.create()
    await database.exec("create table t (n int)")
    connect = makePgliteStream(database)
  })
  // A connection that a failed test left open would make the next one wait.
  afterEach(() => {
    for (const socket of opened.splice(0)) socket.destroy()
  })
  afterAll(() => database.close())

  const open = async () => {
    const client = talk(connect)
    client.send(startup)
    await client.untilReady()
    return client
  }
  /** What the statement returns on a connection of its own. */
  const read = async (sql: string): Promise<string | undefined> => {
    const client = await open()
    client.send(cycle(sql))
    const [value] = values(await client.untilReady())
    terminate(client)
    return value
  }

  it("lets the next connection wait until one ends, and roll back what it left open", async () => {
    for (const last of [
      query("insert into t values (100)"),
      query("select 1/0"),
      Buffer.concat([frame("P", "", "nonsense", int(2, 0)), frame("H")])
    ]) {
      for (const end of [terminate, destroy]) {
        const first = await open()
        first.send(query("begin; insert into t values (99)"))
        await first.untilReady()
        const next = talk(connect)
        next.send(startup)
        first.send(last)
        first.send(frame("S"))
        await first.untilReady()
        assert.isEmpty(next.frames)
        end(first)
        assert.strictEqual(status(await next.untilReady()), "I")
        next.send(cycle("select count(*)::text from t where n >= 99"))
        assert.deepStrictEqual(values(await next.untilReady()), ["0"])
        terminate(next)
      }
    }
  })

  it("begins a connection without the statements, settings and tables of the one before", async () => {
    const first = await open()
    first.send(cycle("select 'kept'", "kept"))
    first.send(query("set search_path = pg_catalog"))
    first.send(query("create temporary table left_over (n int)"))
    await first.untilReady(3)
    terminate(first)
    assert.strictEqual(await read("select count(*)::text from pg_prepared_statements"), "0")
    assert.strictEqual(await read("show search_path"), "public")
    assert.strictEqual(await read("select coalesce(to_regclass('left_over')::text, 'gone')"), "gone")
  })

  it("gives the turn of a connection that left while it waited to the next one", async () => {
    const first = await open()
    first.send(query("begin; insert into t values (7)"))
    await first.untilReady()
    const [gone, next] = [talk(connect), talk(connect)]
    gone.send(startup)
    next.send(startup)
    destroy(gone)
    first.send(query("commit"))
    assert.strictEqual(status(await first.untilReady()), "I")
    assert.isEmpty(next.frames)
    terminate(first)
    await next.untilReady()
    next.send(cycle("select count(*)::text from t where n = 7"))
    assert.deepStrictEqual(values(await next.untilReady()), ["1"])
    terminate(next)
  })

  it("ends a request to cancel a statement, and leaves the connection that it means alone", async () => {
    const first = await open()
    first.send(query("begin; insert into t values (8)"))
    await first.untilReady()
    const request = connect()
    const closed = once(request, "close")
    request.write(frame("", int(4, 80877102), int(4, 42), int(4, 0)))
    await closed
    first.send(query("commit"))
    await first.untilReady()
    terminate(first)
    assert.strictEqual(await read("select count(*)::text from t where n = 8"), "1")
  })

  it("lets the process do something else between many statements", async () => {
    const client = await open()
    let isElsewhere = false
    setImmediate(() => {
      isElsewhere = true
    })
    let statements = 0
    for (; !isElsewhere && statements < 100; statements++) {
      client.send(cycle("select 'one'"))
      await client.untilReady()
    }
    terminate(client)
    assert.isBelow(statements, 100)
  })
})
