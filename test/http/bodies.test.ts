/** Request bodies: limits, encodings, and what would be silently changed. */
import { gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { parseJson } from "#http/JsonText.ts"
import { cpuMillis } from "../support/cpuMillis.ts"
import {
  type Asked,
  at,
  isError,
  isFailedCommand,
  openService,
  type Reply,
  type Service,
  smallOffer,
  textAt
} from "../support/httpService.ts"

let service: Service
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.svc.close())

const command = "/api/v1/commands/offer.create"
const rest = "/api/v1/offers"

/** Sends the same body to a command and to a REST endpoint, and asserts the refusal in the form of each. */
const refused = async (asked: Asked, status: number, code: string): Promise<ReadonlyArray<Reply>> => {
  const [first, second] = [await service.ask("POST", command, asked), await service.ask("POST", rest, asked)]
  if (status === 400) isFailedCommand(first, status, code)
  else isError(first, status, code)
  isError(second, status, code)
  return [first, second]
}

const offersNow = async (): Promise<unknown> => at((await service.ask("GET", `${rest}?limit=100`)).body, "data.offers")

const nested = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`

describe("what is refused, and changes nothing", () => {
  it.each<readonly [string, Asked, number, string]>([
    ["no body", {}, 400, "INVALID_JSON"],
    ["an empty body", { body: "" }, 400, "INVALID_JSON"],
    ["white space", { body: "  \n" }, 400, "INVALID_JSON"],
    ["broken JSON", { body: '{"name":' }, 400, "INVALID_JSON"],
    ["two values", { body: "{}{}" }, 400, "INVALID_JSON"],
    ["a list", { body: "[]" }, 400, "INVALID_JSON"],
    ["null", { body: "null" }, 400, "INVALID_JSON"],
    ["a text", { body: '"{}"' }, 400, "INVALID_JSON"],
    ["a number", { body: "1" }, 400, "INVALID_JSON"],
    [
      "invalid UTF-8",
      { body: Uint8Array.from([...Buffer.from('{"name":"'), 0xc3, 0x28, ...Buffer.from('"}')]) },
      400,
      "INVALID_JSON"
    ],
    ["an encoded surrogate in UTF-8", { body: Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22]) }, 400, "INVALID_JSON"],
    ["UTF-16", { body: new Uint8Array(Buffer.from('{"name":"x"}', "utf16le")) }, 400, "INVALID_JSON"],
    ["NUL in a text", { body: '{"name":"a\\u0000b"}' }, 400, "INVALID_INPUT"],
    ["NUL in a name", { body: '{"na\\u0000me":"a"}' }, 400, "INVALID_INPUT"],
    ["a lone surrogate", { body: '{"name":"a\\ud800b"}' }, 400, "INVALID_INPUT"],
    ["a lone surrogate in a name", { body: '{"\\udc00":"b"}' }, 400, "INVALID_INPUT"],
    ["1e400", { body: '{"references":[{"type":"STATS","content":"c","metadata":{"n":1e400}}]}' }, 400, "INVALID_INPUT"],
    ["1e-400, which would become 0", { body: '{"a":1e-400}' }, 400, "INVALID_INPUT"],
    ["2^53 + 1", { body: '{"a":9007199254740993}' }, 400, "INVALID_INPUT"],
    ["20 digits", { body: '{"a":-12345678901234567890}' }, 400, "INVALID_INPUT"],
    ["a fraction of 25 digits", { body: '{"a":0.1234567890123456789012345}' }, 400, "INVALID_INPUT"],
    ["NaN", { body: '{"a":NaN}' }, 400, "INVALID_JSON"],
    ["a name given twice", { body: '{"name":"a","name":"b"}' }, 400, "INVALID_INPUT"],
    [
      "a name given twice, once escaped",
      { body: '{"references":[{"url":"a","\\u0075rl":"b"}]}' },
      400,
      "INVALID_INPUT"
    ],
    ["depth 33", { body: nested(33) }, 400, "INVALID_INPUT"],
    ["depth 32, for its name only", { body: nested(32) }, 400, "UNKNOWN_FIELD"],
    ["depth 100,000", { body: `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}` }, 400, "INVALID_INPUT"],
    ["text/plain", { body: "{}", headers: { "content-type": "text/plain" } }, 415, "UNSUPPORTED_MEDIA_TYPE"],
    [
      "a form",
      { body: "a=b", headers: { "content-type": "application/x-www-form-urlencoded" } },
      415,
      "UNSUPPORTED_MEDIA_TYPE"
    ],
    [
      "another charset",
      { body: "{}", headers: { "content-type": "application/json; charset=latin1" } },
      415,
      "UNSUPPORTED_MEDIA_TYPE"
    ],
    [
      "gzip",
      { body: new Uint8Array(gzipSync("{}")), headers: { "content-encoding": "gzip" } },
      415,
      "UNSUPPORTED_MEDIA_TYPE"
    ],
    ["1 MiB and a byte", { body: `"${"x".repeat(1024 * 1024 - 1)}"` }, 413, "PAYLOAD_TOO_LARGE"]
  ])("%s", async (_, asked, status, code) => {
    const before = await offersNow()
    await refused(asked, status, code)
    assert.deepStrictEqual(await offersNow(), before)
  })
})

describe("what is taken", () => {
  const draft = (extra: object) => JSON.stringify({ name: "x", is_draft: true, ...extra })

  it("JSON with charset utf-8, application/*+json, a byte order mark, and no content type at all", async () => {
    for (const type of [
      "application/json; charset=utf-8",
      'application/json;charset="UTF-8"',
      "APPLICATION/JSON",
      "application/vnd.api+json"
    ]) {
      const reply = await service.ask("POST", command, { body: draft({}), headers: { "content-type": type } })
      assert.strictEqual(reply.status, 200, `${type}: ${reply.text}`)
    }
    const marked = await service.ask("POST", command, { body: `\ufeff${draft({})}` })
    assert.strictEqual(marked.status, 200, marked.text)
    const bare = await service.svc.fetch(
      new Request(`http://svc.test${command}`, {
        method: "POST",
        headers: { authorization: `Bearer ${service.key}` },
        body: new Uint8Array(Buffer.from(draft({})))
      })
    )
    assert.strictEqual(bare.status, 200)
    const identity = await service.ask("POST", command, {
      body: draft({}),
      headers: { "content-encoding": "identity" }
    })
    assert.strictEqual(identity.status, 200)
  })

  it("texts come back as sent: every plane, line ends, control characters that JSON can hold", async () => {
    const description = "é ß 漢字 👩‍👩‍👧 \u{10ffff} \r\n\t \u0001 \u2028 \ufeff ​."
    const made = await service.ask("POST", rest, { json: { ...smallOffer, description } })
    if (made.status === 201) assert.strictEqual(at(made.body, "data.offer.description"), description)
    else isError(made, 400, "INVALID_INPUT")
    const astral = await service.ask("POST", rest, {
      json: { ...smallOffer, description: "漢字 👩‍👩‍👧 \u{10ffff}\n second" }
    })
    assert.strictEqual(at(astral.body, "data.offer.description"), "漢字 👩‍👩‍👧 \u{10ffff}\n second")
  })

  it("numbers of free objects come back as sent", async () => {
    const metadata = { a: 9007199254740991, b: -0.1, c: 1e21, d: 5e-324, e: 1.7976931348623157e308, f: 0.1 }
    const made = await service.ask("POST", rest, {
      json: { ...smallOffer, references: [{ type: "STATS", content: "c", metadata }] }
    })
    assert.strictEqual(made.status, 201, made.text)
    assert.deepStrictEqual(at(made.body, "data.offer.references.0.metadata"), metadata)
  })

  it("a body of exactly 1 MiB is read, and one of up to 5 MiB where leads are posted", async () => {
    const body = `{"name":"x"${" ".repeat(1024 * 1024 - 12)}}`
    assert.strictEqual(body.length, 1024 * 1024)
    isError(await service.ask("POST", rest, { body }), 400, "INVALID_INPUT")
    await service.ask("POST", "/api/v1/agents", { json: { firstName: "Big", lastName: "Load" } })
    await service.ask("POST", "/api/v1/missions", { json: { name: "Load", handle: "load", agentHandle: "big-load" } })
    const leads = '{"leads":[{"email":"a@example.com"}]'
    const five = `${leads}${" ".repeat(5 * 1024 * 1024 - leads.length - 1)}}`
    assert.strictEqual((await service.ask("POST", "/api/v1/missions/load/leads", { body: five })).status, 200)
    isError(await service.ask("POST", "/api/v1/missions/load/leads", { body: `${five} ` }), 413, "PAYLOAD_TOO_LARGE")
  })

  it("the limit is known from content-length alone, before a byte is read", async () => {
    let pulled = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          pulled++
          controller.enqueue(new Uint8Array(64 * 1024))
        }
      },
      { highWaterMark: 0 }
    )
    const reply = await service.svc.fetch(
      new Request(`http://svc.test${rest}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${service.key}`,
          "content-length": "99999999",
          "content-type": "application/json"
        },
        body,
        duplex: "half"
      } as RequestInit)
    )
    assert.strictEqual(reply.status, 413)
    assert.strictEqual(pulled, 0)
  })

  it("an endless body is refused once it is over the limit", async () => {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 64 * 1024
        controller.enqueue(new Uint8Array(64 * 1024).fill(0x20))
      }
    })
    const reply = await service.svc.fetch(
      new Request(`http://svc.test${rest}`, {
        method: "POST",
        headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
        body,
        duplex: "half"
      } as RequestInit)
    )
    assert.strictEqual(reply.status, 413)
    assert.isBelow(sent, 2 * 1024 * 1024)
  })
})

describe("reading JSON text", () => {
  it("keeps whatever JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = parseJson(JSON.stringify(value))
        assert.ok(Result.isSuccess(read), JSON.stringify(value))
        assert.deepStrictEqual(JSON.stringify(read.success), JSON.stringify(value))
      })
    )
  })

  it("never throws, and finds a doubled name wherever it is", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void parseJson(text)))
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.jsonValue(), (value, name, around) => {
        const [a, key] = [JSON.stringify(value), JSON.stringify(name)]
        const read = parseJson(
          `[${JSON.stringify(around)}, {${key} : ${a}, "other ${name.length}": [{}], ${key}:${a}}]`
        )
        assert.ok(Result.isFailure(read))
      })
    )
  })

  it.each([
    ["a number of a million zeros", `{"a":1${"0".repeat(1_000_000)}1}`],
    ["a text of a million backslashes", `{"a":"${"\\\\".repeat(500_000)}","n":1234567890123456}`],
    ["a million brackets", `${"[".repeat(500_000)}${"]".repeat(500_000)}`],
    ["a hundred thousand names", `{${Array.from({ length: 100_000 }, (_, n) => `"${n}":1`).join(",")}}`]
  ])("is linear: %s", (_, text) => {
    assert.isBelow(
      cpuMillis(() => parseJson(text)),
      1500
    )
  })

  it("says what is wrong without repeating much of it", async () => {
    const reply = await service.ask("POST", rest, { body: `{"a":${"9".repeat(5000)}}` })
    isError(reply, 400, "INVALID_INPUT")
    assert.isBelow(textAt(reply.body, "error.message").length, 200)
  })
})
