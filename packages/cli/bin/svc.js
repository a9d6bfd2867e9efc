#!/usr/bin/env node
import module from "node:module"

try {
  module.enableCompileCache?.()
} catch {
  // It only saves time.
}
await import("../dist/bundle/main.js")
