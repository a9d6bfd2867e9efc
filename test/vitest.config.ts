import { defineConfig } from "vitest/config"

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
  resolve: { conditions: ["svc-source"] },
  ssr: { resolve: { conditions: ["svc-source"] } },
  test: {
    include: ["**/*.test.ts"],
    globalSetup: ["./support/globalSetup.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: "forks",
    maxWorkers: 2
  }
})
