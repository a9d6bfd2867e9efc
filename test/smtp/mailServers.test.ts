/** Mailboxes, signatures and domains against the programs that people run: Dovecot, Postfix, OpenDKIM, BIND, swaks, oidc-provider. */
import { generateKeyPairSync } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { DomainCheck } from "#core/email/DomainCheck.ts"
import { InboxGateway, type InboxLogin, type InboxPosition } from "#core/email/InboxGateway.ts"
import { WebhookTargets } from "#core/webhooks/WebhookTarget.ts"
import { domainCheckLayer } from "#providers/dns/domainCheck.ts"
import { imapInboxLayer } from "#providers/imap/ImapInbox.ts"
import { mailReaderLayer } from "#providers/imap/readMail.ts"
import { buildMessage, type DkimKey } from "#providers/smtp/message.ts"
import { startBind } from "../support/mail/Bind.ts"
import { type Dovecot, dovecotPassword, startDovecot } from "../support/mail/Dovecot.ts"
import { missingPrograms, openFolder } from "../support/mail/daemon.ts"
import { isSignedWell, signedByOpendkim } from "../support/mail/opendkim.ts"
import { mayStartPostfix, type Postfix, startPostfix, swaks } from "../support/mail/Postfix.ts"
import {
  accessTokenOf,
  introspectionUrl,
  type RunningProvider,
  revokeToken,
  startOidcProvider
} from "../support/oidcProvider.ts"
import { stopClock } from "../support/stoppedClock.ts"

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 })
const pem = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString()
const record = `v=DKIM1; k=rsa; p=${pair.publicKey.export({ type: "spki", format: "der" }).toString("base64")}`
const dkim: DkimKey = { selector: "svc", key: Redacted.make(pem) }
const published = { selector: "svc", domain: "good.example", record }

/** Where the client of the identity provider is: nothing listens there. */
const redirectUri = "http://127.0.0.1:9/callback"

const missing = missingPrograms("dovecot", "named", "opendkim", "opendkim-testmsg", "postfix", "swaks")
const isInstalled = missing.length === 0 && mayStartPostfix()
if (!isInstalled) console.warn(`No mail servers are tried. Missing: ${missing.join(", ") || "root"}.`)

describe.skipIf(!isInstalled)("the domain of a sender, as BIND publishes it", () => {
  const checked = (server: string, domain: string) =>
    Effect.flatMap(DomainCheck, ({ check }) => check(domain)).pipe(
      Effect.map(({ dkim, dmarc, problems, spf }) => [spf, dkim, dmarc, problems.length]),
      Effect.provide(domainCheckLayer({ dkim, servers: [server] }))
    )

  // mailauth needs what Node 20 lacks; svc itself runs on Node 22 and newer.
  it.skipIf(Number(process.versions.node.split(".")[0]) < 22)(
    "is set up, wrong, missing, or unknown while no server responds",
    async () => {
      const bind = await startBind([
        ["good.example", "TXT", "v=spf1 ip4:192.0.2.0/24 -all"],
        ["svc._domainkey.good.example", "TXT", record],
        ["_dmarc.good.example", "TXT", "v=DMARC1; p=reject"],
        ["bad.example", "TXT", "v=spf1 bogus:x"],
        ["bad.example", "TXT", "v=spf1 -all"],
        ["svc._domainkey.bad.example", "TXT", "v=DKIM1; p=AAAA"],
        ["_dmarc.bad.example", "TXT", "v=DMARC1; p=perhaps"],
        ["none.example", "A", "192.0.2.1"]
      ])
      const ask = (domain: string) => Effect.runPromise(checked(bind.address, domain))
      assert.deepEqual(await ask("good.example"), ["pass", "pass", "pass", 0])
      assert.deepEqual(await ask("mail.good.example"), ["missing", "missing", "pass", 2])
      assert.deepEqual((await ask("bad.example")).slice(0, 2), ["fail", "fail"])
      assert.deepEqual(await ask("none.example"), ["missing", "missing", "missing", 3])
      await bind.stop()
      assert.deepEqual(await ask("good.example"), ["unknown", "unknown", "unknown", 0])
    },
    60_000
  )
})

describe.skipIf(!isInstalled)("a signed e-mail, as OpenDKIM verifies it", () => {
  const email = {
    messageId: "eml_1@good.example",
    from: { name: "Ada Märtin", address: "ada@good.example" },
    to: { name: "Grace", address: "grace@example.com" },
    subject: "Grüße",
    text: "Hello\n\n.\n",
    html: "<p>Hello</p>",
    references: ["x@example.com"],
    unsubscribe: { mailto: "mailto:ada@good.example?subject=unsubscribe%20T0ken", url: "https://svc.example/u/T0ken" }
  }

  it("is good, unless its text or what unsubscribes is changed", async () => {
    const message = await buildMessage(email, dkim)
    const changed = (from: string, to: string) => Buffer.from(message.toString().replace(from, to))
    assert.isTrue(await isSignedWell(message, published))
    assert.isFalse(await isSignedWell(changed("u/T0ken", "u/Other"), published))
    assert.isFalse(await isSignedWell(changed("<p>Hello", "<p>Hullo"), published))
    assert.isFalse(await isSignedWell(changed("x@example.com", "y@example.com"), published))
    assert.isFalse(await isSignedWell(await buildMessage(email), published))
  })

  it("is signed as OpenDKIM signs, where a relay does it", async () => {
    const folder = await openFolder("key")
    const file = join(folder.path, "key.pem")
    await writeFile(file, pem, { mode: 0o600 })
    const message = await signedByOpendkim((await buildMessage(email)).toString(), file, published)
    assert.isTrue(await isSignedWell(Buffer.from(message), published))
    await folder.remove()
  })
})

const layer = imapInboxLayer.pipe(
  Layer.provide(mailReaderLayer),
  Layer.provide(Layer.succeed(WebhookTargets, { allowPrivate: true, allowLoopback: true }))
)
const opened = <A, E>(
  what: InboxLogin,
  use: (inbox: Effect.Success<ReturnType<InboxGateway["Service"]["open"]>>) => Effect.Effect<A, E>
) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(
        Effect.flatMap(InboxGateway, ({ open }) => open(what)),
        use
      )
    ).pipe(Effect.result, Effect.provide(layer))
  )
const read = async (what: InboxLogin, after: InboxPosition = {}) => {
  const found = await opened(what, (inbox) => inbox.read({ after, since: "2020-01-01T00:00:00Z", limit: 50 }))
  if (Result.isFailure(found)) return Promise.reject(found.failure)
  return { subjects: found.success.mails.map(({ subject }) => subject), position: found.success.position }
}
const kindOf = (what: InboxLogin) =>
  read(what).then(
    () => "none",
    ({ kind }) => kind
  )

describe.skipIf(!isInstalled)("a mailbox of Dovecot, which Postfix fills", () => {
  let dovecot: Dovecot
  let postfix: Postfix
  beforeAll(async () => {
    dovecot = await startDovecot()
    postfix = await startPostfix(dovecot.lmtpPort)
  }, 60_000)
  afterAll(async () => {
    await postfix.stop()
    await dovecot.stop()
  })

  const login = (user: string, changes: Partial<InboxLogin> = {}): InboxLogin => ({
    ...{ host: "127.0.0.1", port: dovecot.imapPort, security: "plain", user, login: "password", folders: [] },
    secret: Redacted.make(dovecotPassword),
    ...changes
  })
  const put = (user: string, subject: string) =>
    dovecot.put(`${user}@sender.example`, `From: x@y.example\nSubject: ${subject}\n\nHello\n`)

  it("is read on from where it was, and anew when its UIDVALIDITY has changed", async () => {
    await put("one", "first")
    const { position, subjects } = await read(login("one"))
    assert.deepEqual(subjects, ["first"])
    await put("one", "second")
    const next = await read(login("one"), position)
    assert.deepEqual(next.subjects, ["second"])
    assert.deepEqual((await read(login("one"), next.position)).subjects, [])
    await dovecot.changeValidity("one")
    assert.deepEqual((await read(login("one"), next.position)).subjects, ["first", "second"])
  })

  it("wakes whoever waits when a mail arrives, and fails who waits when the connection ends", async () => {
    const woken = await opened(login("two"), (inbox) =>
      Effect.gen(function* () {
        const { position } = yield* inbox.read({ after: {}, since: "2020-01-01T00:00:00Z", limit: 50 })
        yield* Effect.all(
          [
            inbox.wait(30_000),
            Effect.delay(
              Effect.promise(() => put("two", "news")),
              500
            )
          ],
          { concurrency: 2 }
        )
        const { mails } = yield* inbox.read({ after: position, since: "2020-01-01T00:00:00Z", limit: 50 })
        return mails.map(({ subject }) => subject)
      })
    )
    assert.deepEqual(woken, Result.succeed(["news"]))
    const cut = await opened(login("two"), (inbox) =>
      Effect.all(
        [
          inbox.wait(30_000),
          Effect.delay(
            Effect.promise(() => dovecot.cut("two")),
            500
          )
        ],
        { concurrency: 2 }
      )
    )
    assert.strictEqual(Result.isFailure(cut) ? Object(cut.failure).kind : "none", "unreachable")
  }, 60_000)

  it("says that a folder is gone, or the password wrong", async () => {
    await put("three", "first")
    await dovecot.create("three", "Team")
    await dovecot.move("three", "INBOX", "Team")
    assert.deepEqual((await read(login("three", { folders: ["INBOX", "Team"] }))).subjects, ["first"])
    await dovecot.rename("three", "Team", "Old")
    assert.strictEqual(await kindOf(login("three", { folders: ["Team"] })), "folder")
    assert.strictEqual(await kindOf(login("three", { secret: Redacted.make("wrong") })), "login")
    assert.strictEqual(await kindOf(login("three", { port: postfix.port })), "unreachable")
  }, 60_000)

  it("gets the reports that Postfix writes about what it could not deliver", async () => {
    const letter = {
      from: "four@sender.example",
      headers: { Subject: "Hello", "Message-Id": "<eml_4@sender.example>" }
    }
    await swaks(postfix.port, { ...letter, to: "gone-4@elsewhere.example", body: "Hello" })
    const report = await opened(login("four"), (inbox) =>
      Effect.gen(function* () {
        const request = { after: {}, since: "2020-01-01T00:00:00Z", limit: 50 }
        const first = yield* inbox.read(request)
        if (first.mails.length === 0) yield* inbox.wait(30_000)
        const { mails } = yield* inbox.read(request)
        return mails.map(({ reported, statuses }) => [
          reported,
          ...statuses.map(({ recipient, status }) => [recipient, status])
        ])
      })
    )
    assert.deepEqual(report, Result.succeed([["eml_4@sender.example", ["gone-4@elsewhere.example", "5.1.1"]]]))
  }, 60_000)
})

/** Where a server has both, OAUTHBEARER is used. */
const tokenMechanisms = ["xoauth2", "xoauth2 oauthbearer"]

describe.skipIf(!isInstalled).each(tokenMechanisms)("a mailbox of Dovecot that takes tokens by %s", (mechanisms) => {
  let dovecot: Dovecot
  let provider: RunningProvider
  beforeAll(async () => {
    provider = await startOidcProvider([redirectUri])
    dovecot = await startDovecot({ mechanisms, introspection: introspectionUrl(provider) })
  }, 60_000)
  afterAll(async () => {
    provider.close()
    await dovecot.stop()
  })
  stopClock()

  const login = (user: string, secret: string): InboxLogin => ({
    ...{ host: "127.0.0.1", port: dovecot.imapPort, security: "plain", user, login: "token", folders: [] },
    secret: Redacted.make(secret)
  })
  const tokenOf = (id: string) => accessTokenOf(provider, id, redirectUri)

  it("is read with a token of the person, as long as the provider says that it is good", async () => {
    const token = await tokenOf("ada")
    await dovecot.put("ada@sender.example", "From: x@y.example\nSubject: first\n\nHello\n")
    assert.deepEqual((await read(login("ada", token))).subjects, ["first"])
    vi.setSystemTime(Date.now() + 7_200_000)
    assert.strictEqual(await kindOf(login("ada", token)), "login", "it has expired")
    const next = await tokenOf("ada")
    assert.deepEqual((await read(login("ada", next))).subjects, ["first"])
    await revokeToken(provider, next)
    assert.strictEqual(await kindOf(login("ada", next)), "login", "it was revoked")
  }, 60_000)

  it("is not read with an unknown token, with another person's, or with the password", async () => {
    assert.strictEqual(await kindOf(login("ada", "unknown")), "login")
    assert.strictEqual(await kindOf(login("ada", await tokenOf("eve"))), "login")
    assert.strictEqual(await kindOf(login("ada", dovecotPassword)), "login")
  }, 60_000)

  it("is unreachable, and not wrongly set up, while the provider does not respond", async () => {
    const token = await tokenOf("ada")
    provider.close()
    assert.strictEqual(await kindOf(login("ada", token)), "unreachable")
  }, 60_000)
})
