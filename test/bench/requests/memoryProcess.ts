/** How many commands a second one process runs on memory, without HTTP and database: new leads by `lead.upsert`. */
import { createSvc } from "@svc/embed"

const { concurrency, seconds }: { readonly concurrency: number; readonly seconds: number } = JSON.parse(
  process.argv[2] ?? "{}"
)
const svc = await createSvc({ databaseUrl: "memory:" })
let next = 0

/** Runs commands until the time is over; returns how many a second. */
const run = async (millis: number): Promise<number> => {
  const first = next
  const started = performance.now()
  const work = async () => {
    while (performance.now() - started < millis) {
      const index = next++
      await svc.leads.upsert({
        email: `new.${index}@company${index % 5_000}.example`,
        linkedin_url: `https://www.linkedin.com/in/new-${index}`,
        name: `Chiara Person${index}`,
        job_title: "Head of Finance",
        company: `Company ${index % 5_000} GmbH`
      })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return ((next - first) * 1_000) / (performance.now() - started)
}

await run(1_000)
const rate = await run(seconds * 1_000)
await svc.close()
process.stdout.write(JSON.stringify({ rate }))
