/**
 * A second copy of Effect in the process. What one copy makes, another takes for its own and then misreads, so it is named
 * before it can do harm.
 */
import { readFileSync, realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"

interface Copy {
  readonly path: string
  readonly version: string
}

const copyAt = (manifest: string): Copy => {
  const path = realpathSync(manifest)
  const { version } = JSON.parse(readFileSync(path, "utf8"))
  return { path: path.replace(/[\\/]package\.json$/, ""), version: String(version) }
}

// In a bundle there is nothing to find: it has one copy, or the host's bundler has said so.
const attempt = (find: () => string): Copy | undefined => Result.getOrUndefined(Result.try(() => copyAt(find())))

const named = ({ path, version }: Copy): string => `effect ${version} in ${path}`

const ours = (): Copy | undefined => attempt(() => fileURLToPath(import.meta.resolve("effect/package.json")))

/** The copy that the host's own code gets. */
const hosts = () => attempt(() => createRequire(join(process.cwd(), "package.json")).resolve("effect/package.json"))

/** Warns when the host's code and this package resolve Effect to different copies. */
export const warnOfOtherEffect: Effect.Effect<void> = Effect.suspend(() => {
  const [own, other] = [ours(), hosts()]
  if (own === undefined || other === undefined || own.path === other.path) return Effect.void
  return Effect.logWarning("There are two copies of effect; layers and commands of one do not work with the other", {
    service: named(own),
    host: named(other),
    next: "Install one version: npm ls effect shows who asks for which, npm dedupe unites them."
  })
})

/** Why a value that a host passes as a layer is none of this copy of Effect; undefined if it is one. */
export const foreignLayer = (name: string, value: unknown): string | undefined => {
  if (Layer.isLayer(value) && Object.getPrototypeOf(value) === Object.getPrototypeOf(Layer.empty)) return undefined
  const own = ours()
  return (
    `${name}: not a Layer of the copy of effect that the service uses${own === undefined ? "" : ` (${named(own)})`}. ` +
    "If it is a Layer, there is a second copy: npm ls effect shows it, npm dedupe unites them."
  )
}
