import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { configDefaults, defineConfig } from "vitest/config"
import { DearestFirst } from "./support/DearestFirst.ts"
import { slowTests } from "./support/slowTests.ts"

// The reporter groups with Map.groupBy, which Node 20 does not have; without it a failing run hides its reason.
if (!("groupBy" in Map)) {
  Object.defineProperty(Map, "groupBy", {
    value: <K, V>(items: Iterable<V>, keyOf: (item: V, index: number) => K): Map<K, Array<V>> => {
      const groups = new Map<K, Array<V>>()
      let index = 0
      for (const item of items) {
        const key = keyOf(item, index++)
        const group = groups.get(key)
        if (group === undefined) groups.set(key, [item])
        else group.push(item)
      }
      return groups
    }
  })
}

export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    conditions: ["svc-source"],
    // Tests of what no package exports name the source itself: #core/leads/Lead.ts.
    alias: [{ find: /^#(\w+)\//, replacement: `${join(import.meta.dirname, "../packages")}/$1/src/` }]
  },
  ssr: { resolve: { conditions: ["svc-source"] } },
  test: {
    include: ["**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...slowTests.map((path) => (path.endsWith("/") ? `${path}**` : path))],
    typecheck: { enabled: true, include: ["types/*.test-d.ts"], tsconfig: "types/tsconfig.json" },
    globalSetup: ["./support/globalSetup.ts"],
    setupFiles: ["./support/seed.ts"],
    // Only what hangs takes that long, however busy the machine is.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    env: {
      // No test reads or writes the user's configuration, or leaves what Node compiled, which it never removes.
      NODE_DISABLE_COMPILE_CACHE: "1",
      XDG_CONFIG_HOME: join(tmpdir(), "svc-test-no-profiles"),
      // The campaign `ci` tries all.
      SVC_TEST_EFFORT: process.env.SVC_TEST_EFFORT ?? "0.5"
    },
    pool: "forks",
    // Modules are evaluated once for each worker instead of once for each file. What a test changes of its process, it restores.
    isolate: false,
    // One for each core, and of many cores three: a fourth takes as long and more of the processor.
    maxWorkers: Math.min(3, availableParallelism()),
    sequence: { sequencer: DearestFirst },
    // Such tests wait more than they work.
    maxConcurrency: 8
  }
})
