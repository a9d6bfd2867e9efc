/** What a service sets in V8 takes effect while it runs: V8 silently passes over a flag that it reads only at its start. */
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const file = fileURLToPath(new URL("../../packages/cli/dist/boundHeap.js", import.meta.url))

/** Keeps what it makes for some turns, so that V8 lets the young generation grow; prints its largest size in bytes. */
const program = (start: string) => `
  import { getHeapSpaceStatistics } from "node:v8"
  import { boundHeap } from ${JSON.stringify(file)}
  ${start}
  const kept = []
  let most = 0
  for (let turn = 0; turn < 400; turn++) {
    kept[turn % 8] = Array.from({ length: 10_000 }, (_, index) => ({ index }))
    await new Promise(setImmediate)
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")
    most = Math.max(most, young.space_size)
  }
  process.stdout.write(String(most))
`

const mostYoung = (start: string): number =>
  Number(execFileSync(process.execPath, ["--input-type=module", "-e", program(start)], { encoding: "utf8" }))

describe("boundHeap", () => {
  it("ends the growth of the young generation at 16 MB", () => {
    assert.isAtMost(mostYoung("boundHeap()"), 16 * 2 ** 20)
    assert.isAbove(mostYoung(""), 16 * 2 ** 20)
  })
})
