/**
 * The tests that need no database and no other process: every file but those in `postgres/` and those that start processes,
 * themselves or by way of a file that they import; without those that try every command with many inputs or simulate days.
 * What runs on several stores runs in memory; other generated tests try fewer inputs.
 */
import { posix } from "node:path"
import { defineConfig, mergeConfig } from "vitest/config"
import { importsOf, sourcesIn } from "./support/sources.ts"
import base from "./vitest.config.ts"

process.env.SVC_TEST_BACKENDS ??= "memory"

const long = [
  "generated/**",
  "model/**",
  "core/linkedin/pacing.test.ts",
  "embed/work.test.ts",
  "http/openapi.test.ts",
  "mcp/evals.test.ts",
  "mcp/injection.test.ts",
  "testing/brokenStores.test.ts",
  "testing/stores.test.ts",
  "unipile/faults.test.ts"
]

const imports = new Map(sourcesIn("test", ".ts").map((source) => [source.path, importsOf(source)]))

const startsProcesses = (path: string, seen = new Set<string>()): boolean => {
  if (seen.has(path)) return false
  seen.add(path)
  return (imports.get(path) ?? []).some(({ from, isType }) => {
    if (from === "node:child_process") return true
    return !isType && from.startsWith(".") && startsProcesses(posix.join(posix.dirname(path), from), seen)
  })
}

const slow = [...imports.keys()].filter((path) => path.endsWith(".test.ts") && startsProcesses(path))

export default mergeConfig(
  base,
  defineConfig({
    test: {
      exclude: [...long, "postgres/**", ...slow.map((path) => path.replace(/^test\//, ""))],
      typecheck: { enabled: false },
      env: { SVC_TEST_EFFORT: process.env.SVC_TEST_EFFORT ?? "0.2" }
    }
  })
)
