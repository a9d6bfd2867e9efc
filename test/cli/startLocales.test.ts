/** What a start leaves out: the data of locales, which V8 loads on first use, for 10 ms of each command and each service. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type RunningSvc, startSvc, svc } from "../support/svcProcess.ts"

/** Tells on stderr who uses locales. */
const watch = `
  const tell = (name) => process.stderr.write("LOCALE " + name + "\\n")
  const { toLocaleString } = Number.prototype
  Number.prototype.toLocaleString = function (...given) { tell("toLocaleString"); return toLocaleString.apply(this, given) }
  Intl.Segmenter = class extends Intl.Segmenter { constructor(...given) { tell("Segmenter"); super(...given) } }
`
const watched = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(watch)}` }

describe("the start", () => {
  let server: RunningSvc

  beforeAll(async () => {
    server = await startSvc(["dev", "--sample"], { env: { ...watched, SVC_DATABASE_URL: "memory:" } })
  })
  afterAll(() => server.stop())

  it("of a service needs no locales", () => {
    assert.notInclude(server.stderr(), "LOCALE")
  })

  it("of a command that lists needs no locales", async () => {
    const env = { ...watched, SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
    const { code, stderr, stdout } = await svc(["commands", "list"], { env })
    assert.strictEqual(code, 0, stderr)
    assert.include(stdout, "lead.upsert")
    assert.notInclude(stderr, "LOCALE")
  })
})
