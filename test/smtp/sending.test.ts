/** E-mails as a mail server gets them, and outcomes told as they are. */
import { connect, createServer, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import { EmailGateway, type EmailOutcome, type OutgoingEmail } from "#core/email/EmailGateway.ts"
import { defaultTimeouts, layer, type SmtpTimeouts } from "#providers/smtp/SmtpEmail.ts"
import { parseSmtpUrl } from "#providers/smtp/SmtpUrl.ts"

const email: OutgoingEmail = {
  messageId: "eml_1@sender.example",
  from: { name: "Ada Märtin", address: "ada@sender.example" },
  to: { name: "Grace “Amazing” Hopper", address: "grace@example.com" },
  subject: "Rechnungen, die sich selbst buchen – schön",
  text: "Hello Grace,\n.\nfour days earlier.\n",
  html: "<p>Hello Grace</p>"
}

interface Mail {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly raw: string
}

/** A mail server on loopback and what it took. */
const server = (options: SMTPServerOptions = {}) =>
  Effect.gen(function* () {
    const mails: Array<Mail> = []
    const smtp = new SMTPServer({
      disabledCommands: ["STARTTLS"],
      authOptional: true,
      allowInsecureAuth: true,
      logger: false,
      onData: (stream, session, callback) => {
        const chunks: Array<Buffer> = []
        stream.on("data", (chunk: Buffer) => chunks.push(chunk))
        stream.on("end", () => {
          const from = session.envelope.mailFrom === false ? "" : session.envelope.mailFrom.address
          mails.push({
            from,
            to: session.envelope.rcptTo.map(({ address }) => address),
            raw: Buffer.concat(chunks).toString()
          })
          callback()
        })
      },
      ...options
    })
    smtp.on("error", () => undefined)
    const port = yield* Effect.acquireRelease(
      Effect.promise(
        () =>
          new Promise<number>((resolve) => {
            const listening = smtp.listen(0, "127.0.0.1", () => {
              const address = listening.address()
              resolve(typeof address === "object" && address !== null ? address.port : 0)
            })
          })
      ),
      () => Effect.promise(() => new Promise<void>((resolve) => smtp.close(() => resolve())))
    )
    return { port, mails }
  })

const send = (
  url: string,
  changes: Partial<OutgoingEmail> = {},
  timeouts: Partial<SmtpTimeouts> = {}
): Effect.Effect<EmailOutcome> =>
  Effect.flatMap(EmailGateway, (gateway) => gateway.send({ ...email, ...changes })).pipe(
    Effect.provide(layer(Result.getOrThrow(parseSmtpUrl(url)), { ...defaultTimeouts, ...timeouts }))
  )

const failing = (code: number) => Object.assign(new Error("no"), { responseCode: code })

describe("e-mail over SMTP", () => {
  it.live("is accepted when the server says so, whole and as it was written", () =>
    Effect.gen(function* () {
      const { mails, port } = yield* server()
      assert.deepStrictEqual(yield* send(`smtp://127.0.0.1:${port}`), {
        _tag: "Confirmed",
        messageId: "eml_1@sender.example"
      })
      const [mail] = mails
      assert.deepStrictEqual([mail?.from, mail?.to], ["ada@sender.example", ["grace@example.com"]])
      assert.match(mail?.raw ?? "", /^Message-ID: <eml_1@sender\.example>\r?$/m)
      assert.match(mail?.raw ?? "", /^To: .*<grace@example\.com>\r?$/m)
      assert.match(mail?.raw ?? "", /^Content-Type: multipart\/alternative/m)
      assert.include(mail?.raw ?? "", "four days earlier.")
      assert.deepInclude(yield* send(`smtp://127.0.0.1:${port}`, { html: null }), { _tag: "Confirmed" })
      assert.match(mails[1]?.raw ?? "", /^Content-Type: text\/plain/m)
    }).pipe(Effect.scoped)
  )

  it.live("is refused as the server refuses it, for good or for now", () =>
    Effect.gen(function* () {
      const at = (options: SMTPServerOptions) => Effect.map(server(options), ({ port }) => `smtp://127.0.0.1:${port}`)
      for (const [code, isPermanent] of [
        [550, true],
        [451, false]
      ] as const) {
        const refusal = {
          _tag: isPermanent ? "Refused" : "Unavailable",
          reason: `The mail server responded with ${code}.`
        } as const
        const rcpt = yield* at({ onRcptTo: (_address, _session, callback) => callback(failing(code)) })
        assert.deepStrictEqual(yield* send(rcpt), refusal)
        const from = yield* at({ onMailFrom: (_address, _session, callback) => callback(failing(code)) })
        assert.deepStrictEqual(yield* send(from), refusal)
        const data = yield* at({
          onData: (stream, _session, callback) => {
            stream.resume()
            stream.on("end", () => callback(failing(code)))
          }
        })
        assert.deepStrictEqual(yield* send(data), refusal)
      }
    }).pipe(Effect.scoped)
  )

  it.live("is unknown, never claimed sent, when the connection breaks or falls silent after the message", () =>
    Effect.gen(function* () {
      let taken = 0
      const sockets = new Set<Socket>()
      const dropping = yield* server({
        onData: (stream) => {
          stream.resume()
          stream.on("end", () => {
            taken++
            // The message was taken; the yes never arrives.
            for (const socket of sockets) socket.destroy()
          })
        }
      })
      // A proxy in front, so that the connection can be cut at exactly that moment.
      const proxy = createServer((client) => {
        const upstream = connect(dropping.port, "127.0.0.1")
        client.pipe(upstream)
        upstream.pipe(client)
        for (const socket of [client, upstream]) {
          sockets.add(socket)
          socket.on("error", () => undefined)
        }
      })
      yield* Effect.promise(() => new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", () => resolve())))
      const address = proxy.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const outcome = yield* send(`smtp://127.0.0.1:${port}`)
      assert.strictEqual(outcome._tag, "Unknown")
      assert.strictEqual(taken, 1)
      proxy.close()
      const silent = yield* server({ onData: (stream) => void stream.resume() })
      const waited = yield* send(`smtp://127.0.0.1:${silent.port}`, {}, { silence: 300 })
      assert.strictEqual(waited._tag, "Unknown")
      const total = yield* send(`smtp://127.0.0.1:${silent.port}`, {}, { total: 400 })
      assert.strictEqual(total._tag, "Unknown")
    }).pipe(Effect.scoped)
  )

  it.live("waits when the server cannot be used, and names no secret", () =>
    Effect.gen(function* () {
      const { port } = yield* Effect.scoped(server())
      const outcomes = [yield* send(`smtp://127.0.0.1:${port}`)]
      const mute = createServer(() => undefined)
      yield* Effect.promise(() => new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", () => resolve())))
      const address = mute.address()
      const mutePort = typeof address === "object" && address !== null ? address.port : 0
      outcomes.push(yield* send(`smtp://127.0.0.1:${mutePort}`, {}, { greeting: 200 }))
      mute.close()
      const strict = yield* server({
        authOptional: false,
        onAuth: (_auth, _session, callback) => callback(new Error("Invalid"))
      })
      outcomes.push(yield* send(`smtp://ada:hunter2secret@127.0.0.1:${strict.port}`))
      outcomes.push(yield* send(`smtps://127.0.0.1:${strict.port}`, {}, { connection: 1_000, greeting: 1_000 }))
      for (const outcome of outcomes) {
        assert.deepInclude(outcome, { _tag: "Unavailable" })
        assert.notMatch(JSON.stringify(outcome), /hunter2|127\.0\.0\.1/)
      }
      assert.lengthOf(strict.mails, 0)
    }).pipe(Effect.scoped)
  )

  it.live("logs in with what the address holds, and asks for TLS beyond this machine", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const { mails, port } = yield* server({
        authOptional: false,
        onAuth: (auth, _session, callback) => {
          seen.push(`${auth.username}:${auth.password}`)
          callback(null, { user: "ada" })
        }
      })
      assert.deepInclude(yield* send(`smtp://ada%40x:p%2Fw@127.0.0.1:${port}`), { _tag: "Confirmed" })
      assert.deepStrictEqual(seen, ["ada@x:p/w"])
      assert.lengthOf(mails, 1)
    }).pipe(Effect.scoped)
  )

  it.live("is never handed over with a header that nobody asked for", () =>
    Effect.gen(function* () {
      const { mails, port } = yield* server()
      const inject = "x\r\nBcc: eve@else.example"
      const bad: ReadonlyArray<Partial<OutgoingEmail>> = [
        { subject: inject },
        { subject: "x\u2028y" },
        { from: { name: inject, address: "ada@sender.example" } },
        { to: { name: inject, address: "grace@example.com" } },
        { to: { name: "", address: "grace@example.com>\r\nRCPT TO:<eve@else.example" } },
        { to: { name: "", address: "grace@example.com,eve@else.example" } },
        { from: { name: "", address: "ada@sender.example\n" } },
        { messageId: "a@b>\r\nBcc: eve@else.example" }
      ]
      for (const changes of bad) {
        assert.deepInclude(yield* send(`smtp://127.0.0.1:${port}`, changes), { _tag: "Refused" })
      }
      assert.lengthOf(mails, 0)
      yield* send(`smtp://127.0.0.1:${port}`, { text: "Bcc: eve@else.example\r\n.\r\nMAIL FROM:<x@y.z>\r\n" })
      assert.lengthOf(mails, 1)
      assert.deepStrictEqual(mails[0]?.to, ["grace@example.com"])
    }).pipe(Effect.scoped)
  )
})

describe("SVC_SMTP_URL", () => {
  it("a host whose name merely begins like an address of this machine is sent nothing unencrypted", () => {
    const isLoopback = (url: string) => Result.getOrThrow(parseSmtpUrl(url)).isLoopback
    assert.deepStrictEqual(
      ["localhost", "127.0.0.1", "[::1]", "127.mail.example", "127.0.0.1.mail.example", "localhost.mail.example"].map(
        (host) => isLoopback(`smtp://u:p@${host}`)
      ),
      [true, true, true, false, false, false]
    )
  })

  it("is read with its standard ports, and refused without being repeated", () => {
    const read = (url: string) => Result.getOrThrow(parseSmtpUrl(url))
    assert.deepInclude(read("smtps://mail.example"), {
      host: "mail.example",
      port: 465,
      isSecure: true,
      isLoopback: false
    })
    assert.deepInclude(read("smtp://u:p@mail.example"), { port: 587, isSecure: false })
    assert.deepInclude(read("smtp://[::1]:2525/"), { host: "::1", port: 2525, isLoopback: true })
    for (const bad of [
      "",
      "mail.example",
      "http://u:sesame@x",
      "smtp://u:sesame@",
      "smtp://sesame@x",
      "smtp://u:sesame@x/y",
      "smtp://u:sesame%@x"
    ]) {
      const parsed = parseSmtpUrl(bad)
      assert.isTrue(Result.isFailure(parsed), bad)
      assert.notInclude(JSON.stringify(parsed), "sesame")
    }
  })
})
