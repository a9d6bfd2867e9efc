/** `svc open`: the review page, signed in with a one-time link. */
import { type Failure, Unavailable } from "@svc/core"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { makeKey } from "../ApiKey.ts"
import { targetInCliTerms } from "../cliTerms.ts"
import { commandRequest } from "../commandRequest.ts"
import { devKeyFile, savedKey } from "../devKey.ts"
import { findTarget } from "../findTarget.ts"
import { type CliExit, note, orRefuse, out, outJson } from "../Output.ts"
import { openInBrowser } from "../openInBrowser.ts"
import { dataOf, type Reply, remoteTarget, type Target } from "../Target.ts"
import { baseUrl, json, toggle } from "./flags.ts"
import { printReply } from "./printReply.ts"

const noServer = () =>
  Effect.fail(
    new Unavailable({
      message:
        "No server is running here. Start one with svc dev or svc serve, or name one with --base-url or svc login."
    })
  )

/** The server, with the key that `svc dev` saved if it is the one of this folder and no other key is set. */
const findServer = (url: string | undefined) =>
  Effect.gen(function* () {
    const target = yield* findTarget(process.env, url, noServer)
    const saved = target.key === undefined && target.place.kind === "owner" ? yield* savedKey : undefined
    if (saved === undefined) return target
    return remoteTarget("owner", target.place.label, yield* makeKey(saved, devKeyFile))
  })

const isForbidden = ({ body, status }: Reply): boolean =>
  status === 403 && Object(Object(body).error).code === "FORBIDDEN_SCOPE"

const show = (url: string, asJson: boolean, print: boolean): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (asJson) return yield* outJson({ url }, true)
    if (!print && (yield* openInBrowser(url))) return yield* note("svc: opened the review page in your browser.")
    if (!print) yield* note("svc: no browser came for the review page. Open this URL within five minutes:")
    yield* out(url)
  })

const openPage = Effect.fnUntraced(function* (
  target: Target,
  asJson: boolean,
  print: boolean
): Effect.fn.Return<void, CliExit | Failure> {
  const reply = yield* target.send(commandRequest("session.link.create", "{}"))
  const { path } = dataOf(reply)
  if (typeof path === "string") return yield* show(`${target.place.label}${path}`, asJson, print)
  // Signing in with the key itself needs no scope.
  if (!isForbidden(reply)) return yield* printReply(reply, asJson)
  yield* note("svc: your key lacks the scope keys:manage for a sign-in link. Enter the key on the page instead.")
  yield* show(`${target.place.label}/review`, asJson, print)
})

/** `svc open`. */
export const open = Command.make(
  "open",
  { print: toggle("print", "Print the link instead of opening a browser"), baseUrl, json },
  ({ baseUrl: url, json: asJson, print }) =>
    orRefuse(
      asJson,
      Effect.scoped(
        Effect.flatMap(findServer(Option.getOrUndefined(url)), (target) =>
          openPage(targetInCliTerms(target), asJson, print)
        )
      )
    )
).pipe(
  Command.withDescription("Open the review page in your browser, signed in with a one-time link"),
  Command.withExamples([
    { command: "svc open", description: "The server of this folder, or of the active profile" },
    { command: "svc open --print", description: "A link for a browser on another machine" }
  ])
)
