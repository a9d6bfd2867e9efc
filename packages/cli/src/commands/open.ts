/** `svc open`: the review page, signed in with a one-time link. */

import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { type Failure, Unavailable } from "@svc/core"
import * as Command from "effect/cli/Command"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { targetInCliTerms } from "../cliTerms.ts"
import { findTarget } from "../findTarget.ts"
import { listenOnLoopback } from "../loopback.ts"
import { devKeyFile, savedKey } from "../Operator.ts"
import { note, out, outJson } from "../Output.ts"
import { makeKey } from "../profiles.ts"
import { callCommand, dataOf, type Reply, remoteTarget, sendCommand, type Target } from "../Target.ts"
import { baseUrl, json, optionalArgument, toggle } from "./flags.ts"
import { type Common, identifierOf, leadIdOf, printReply } from "./runCommand.ts"

// The default browser of this machine. Arguments of programs are visible to other users, so the browser is given the URL of a
// redirect that this process serves once, and gets the real one from there.

/** How long a browser may take to start. */
const timeout = "20 seconds"

/** The program that opens a URL, and the words before the URL. */
const programs: Readonly<Record<string, readonly [program: string, ...words: ReadonlyArray<string>]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""]
}

/** Redirects the first request to a path that only the returned URL names, and calls `taken` then. */
const redirectOnce = (target: string, taken: () => void) => {
  const path = `/${randomBytes(16).toString("hex")}`
  let isTaken = false
  const listening = listenOnLoopback(0, (request, response) => {
    if (isTaken || request.url !== path) return void response.writeHead(404).end()
    isTaken = true
    response.once("close", taken)
    response.writeHead(302, { location: target, "cache-control": "no-store", connection: "close" }).end()
  })
  return Effect.map(listening, (url) => url + path)
}

/** Opens a URL. Returns whether a browser came for it. */
const openInBrowser = (target: string): Effect.Effect<boolean, Failure> =>
  Effect.gen(function* () {
    const outcome = yield* Deferred.make<boolean>()
    const end = (opened: boolean) => void Deferred.doneUnsafe(outcome, Effect.succeed(opened))
    const url = yield* redirectOnce(target, () => end(true))
    const [program, ...words] = programs[process.platform] ?? ["xdg-open"]
    const child = spawn(program, [...words, url], { stdio: "ignore", detached: true })
    child.once("error", () => end(false))
    child.once("exit", (code) => code !== 0 && end(false))
    child.unref()
    return yield* Deferred.await(outcome)
  }).pipe(Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.succeed(false) }), Effect.scoped)

const noServer = () =>
  Effect.fail(
    new Unavailable({
      message:
        "No server is running here. Start one with svc dev or svc serve, or name one with --base-url or svc login."
    })
  )

/** The server, with the key that `svc dev` saved if it is the one of this folder and no other key is set. */
const findServer = Effect.fnUntraced(function* (url: string | undefined) {
  const target = yield* findTarget(process.env, url, noServer)
  const saved = target.key === undefined && target.place.kind === "owner" ? yield* savedKey : undefined
  if (saved === undefined) return target
  return remoteTarget("owner", target.place.label, yield* makeKey(saved, devKeyFile))
})

const isForbidden = ({ body, status }: Reply) => status === 403 && Object(Object(body).error).code === "FORBIDDEN_SCOPE"

const show = Effect.fnUntraced(function* (url: string, asJson: boolean, print: boolean) {
  if (asJson) return yield* outJson({ url }, true)
  if (!print && (yield* openInBrowser(url))) return yield* note("svc: opened the review page in your browser.")
  if (!print) yield* note("svc: The browser didn't load the page. Open this URL within five minutes:")
  yield* out(url)
})

/** What the page shows of an id, an email address or a LinkedIn URL. */
const pathOf = Effect.fnUntraced(function* (target: Target, item: string) {
  const item_id = identifierOf(item) === "lead_id" ? item : yield* leadIdOf(target, item)
  yield* callCommand(target, "review.get", { item_id })
  return `/review/d/${encodeURIComponent(item_id)}`
})

/** Opens the page, or one item of it. */
export const openReview = Effect.fnUntraced(function* (
  item: string | undefined,
  { baseUrl: url, json: asJson }: Common,
  print: boolean
) {
  const target = targetInCliTerms(yield* findServer(url))
  const page = item === undefined ? "/review" : yield* pathOf(target, item)
  const reply = yield* sendCommand(target, "session.link.create", {})
  const { path } = dataOf(reply)
  if (typeof path === "string") {
    return yield* show(`${target.place.label}${path.replace("/review", page)}`, asJson, print)
  }
  // Signing in with the key itself needs no scope.
  if (!isForbidden(reply)) return yield* printReply(reply, asJson)
  yield* note("svc: your key lacks the scope keys:manage for a sign-in link. Enter the key on the page instead.")
  yield* show(`${target.place.label}${page}`, asJson, print)
}, Effect.scoped)

/** `svc open`. */
export const open = Command.make(
  "open",
  {
    item: optionalArgument("item", "A draft, email, invitation or approval request by its id, or a lead who replied"),
    print: toggle("print", "Print the link instead of opening a browser"),
    baseUrl,
    json
  },
  ({ item, print, ...common }) => openReview(item, common, print)
).pipe(
  Command.withDescription("Open the review page, or an item of it, in your browser, signed in with a one-time link"),
  Command.withShortDescription("Open the review page in your browser, signed in"),
  Command.withExamples([
    { command: "svc open", description: "The server of this folder, or of the active profile" },
    { command: "svc open grace@example.com", description: "The conversation with a lead" },
    { command: "svc open --print", description: "A link for a browser on another machine" }
  ])
)
