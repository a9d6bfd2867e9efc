/** Long tables at a terminal go through a pager; everything else is printed. */

import { chmod, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { outPaged, pagerFor } from "#cli/table.ts"
import { temporaryFolder } from "../support/svcProcess.ts"

const long = Array.from({ length: 40 }, (_, n) => `row ${n}`).join("\n")

describe("the pager", () => {
  it("is for what is longer than the screen of a person", () => {
    assert.strictEqual(pagerFor(long, { height: 24, env: {} }), "less")
    assert.isUndefined(pagerFor(long, { height: undefined, env: { PAGER: "less" } }), "a pipe")
    assert.isUndefined(pagerFor(long, { height: 41, env: {} }), "it fits")
    assert.strictEqual(pagerFor(long, { height: 40, env: {} }), "less", "the prompt takes the last line")
    assert.isUndefined(pagerFor(long, { height: 24, env: { TERM: "dumb" } }))
  })

  it("is the one that was chosen for svc, else for everything, and none when that is empty or cat", () => {
    assert.strictEqual(pagerFor(long, { height: 24, env: { PAGER: "more" } }), "more")
    assert.strictEqual(pagerFor(long, { height: 24, env: { PAGER: "more", SVC_PAGER: "less -S" } }), "less -S")
    assert.isUndefined(pagerFor(long, { height: 24, env: { PAGER: "more", SVC_PAGER: "" } }))
    assert.isUndefined(pagerFor(long, { height: 24, env: { PAGER: "cat" } }))
  })

  it("gets the whole text, with the settings of less that keep it on the screen", async () => {
    const { path, remove } = await temporaryFolder()
    const pager = join(path, "pager")
    await writeFile(pager, `#!/bin/sh\n{ echo "LESS=$LESS"; cat; } > "${path}/shown"\n`)
    await chmod(pager, 0o700)
    await Effect.runPromise(outPaged(long, { height: 24, env: { PATH: process.env["PATH"], PAGER: pager } }))
    assert.strictEqual(await readFile(join(path, "shown"), "utf8"), `LESS=FRX\n${long}\n`)
    await remove()
  })

  it("may be left before the end", async () => {
    const endless = Array.from({ length: 100_000 }, (_, n) => `row ${n}`).join("\n")
    await Effect.runPromise(outPaged(endless, { height: 24, env: { PATH: process.env["PATH"], PAGER: "true" } }))
  })

  it("that does not exist leaves the text printed", async () => {
    const written: Array<string> = []
    const write = process.stdout.write
    process.stdout.write = (text: string | Uint8Array, ...rest: ReadonlyArray<unknown>) => {
      written.push(String(text))
      const done = rest.at(-1)
      if (typeof done === "function") done()
      return true
    }
    try {
      await Effect.runPromise(
        outPaged(long, { height: 24, env: { PATH: process.env["PATH"], PAGER: "svc-no-such-pager 2>/dev/null" } })
      )
    } finally {
      process.stdout.write = write
    }
    assert.deepStrictEqual(written, [`${long}\n`])
  })
})
