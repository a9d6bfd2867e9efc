/**
 * The default browser of this machine. Arguments of programs are visible to other users, so the browser is given the URL of a
 * redirect that this process serves once, and gets the real one from there.
 */
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { createServer } from "node:http"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/** How long a browser may take to start. */
const timeout = "20 seconds"

/** The program that opens a URL, and the words before the URL. */
const programs: Readonly<Record<string, readonly [program: string, ...words: ReadonlyArray<string>]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""]
}

/** Redirects the first request to a path that only the returned URL names, and calls `taken` then. */
const redirectOnce = (target: string, taken: () => void) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const path = `/${randomBytes(16).toString("hex")}`
      let isTaken = false
      const server = createServer((request, response) => {
        if (isTaken || request.url !== path) return void response.writeHead(404).end()
        isTaken = true
        response.once("close", taken)
        response.writeHead(302, { location: target, "cache-control": "no-store", connection: "close" }).end()
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = Object(server.address())
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}${path}`, close: () => void server.close() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

/** Opens a URL. Returns whether a browser came for it. */
export const openInBrowser = (target: string): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const outcome = yield* Deferred.make<boolean>()
    const end = (opened: boolean) => void Deferred.doneUnsafe(outcome, Effect.succeed(opened))
    const { url } = yield* redirectOnce(target, () => end(true))
    const [program, ...words] = programs[process.platform] ?? ["xdg-open"]
    const child = spawn(program, [...words, url], { stdio: "ignore", detached: true })
    child.once("error", () => end(false))
    child.once("exit", (code) => code !== 0 && end(false))
    child.unref()
    return yield* Deferred.await(outcome)
  }).pipe(Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.succeed(false) }), Effect.scoped)
