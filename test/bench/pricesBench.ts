/**
 * Part of `npm run bench`: what a megabyte of anything costs a service in memory, sent to every command as a preview. Processor
 * time is the best of a few, since the collector runs whenever it likes. A response of 5xx fails, and so does a call of 25 times the
 * goal: only work that grows faster than its input takes that much.
 */
import { createSvc } from "@svc/embed"
import { type Commands, commands } from "#core/commands.ts"
import { inputsOf } from "../generated/largeInputs.ts"

const goalMillis = 200
const goalMegabytes = 100
const shown = 10

const svc = await createSvc({
  databaseUrl: "memory:",
  gateway: "simulator",
  worker: false,
  rateLimit: 0,
  sample: true
})

const priceOf = async (id: Commands["id"], input: unknown) => {
  const heap = process.memoryUsage().heapUsed
  const before = process.cpuUsage()
  const envelope = await svc.commands.run(id, Object(input), { dryRun: true })
  const { system, user } = process.cpuUsage(before)
  return { envelope, millis: (user + system) / 1_000, megabytes: (process.memoryUsage().heapUsed - heap) / 1_048_576 }
}

const prices: Array<{ readonly what: string; readonly millis: number; readonly megabytes: number }> = []
let failed = 0
for (const command of commands) {
  for (const [name, input] of inputsOf(command)) {
    const what = `${command.id}, ${name}`
    let best = await priceOf(command.id, input)
    for (let again = 0; again < 3 && (best.millis > goalMillis || best.megabytes > goalMegabytes); again++) {
      const next = await priceOf(command.id, input)
      if (next.millis < best.millis) best = next
    }
    const { envelope, megabytes, millis } = best
    if (!envelope.ok && envelope.status >= 500) {
      failed++
      process.stderr.write(`${what}: ${envelope.status} ${envelope.error.message}\n`)
    }
    prices.push({ what, millis, megabytes })
  }
}
await svc.close()

const over = prices.filter(({ megabytes, millis }) => millis > goalMillis || megabytes > goalMegabytes)
process.stdout.write(
  `${prices.length} calls, ${over.length} over the goal (${goalMillis} ms of processor time, ${goalMegabytes} MB); the dearest:\n`
)
for (const { megabytes, millis, what } of prices.toSorted((a, b) => b.millis - a.millis).slice(0, shown)) {
  process.stdout.write(`${millis.toFixed(0).padStart(6)} ms ${megabytes.toFixed(0).padStart(5)} MB  ${what}\n`)
}
process.exit(failed > 0 || prices.some(({ millis }) => millis > 25 * goalMillis) ? 1 : 0)
