/** A gateway whose operations are a host's functions. */
import { type Failure, type FailureClass, InvalidInput, NotFound, Unavailable } from "@svc/core"
import { failureOf } from "@svc/core/failures"
import { refusalKinds } from "@svc/core/internal"
import {
  GatewayError,
  GatewayRejected,
  GatewayUnconfigured,
  type LinkedInAccount,
  LinkedInGateway,
  NotAPeopleSearch,
  type ProviderFailure,
  type Refused,
  type RelationResult,
  type SendResult,
  sendingOnly,
  UsageLimit
} from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import {
  type GatewayContext,
  type GatewayDefinition,
  isGateway,
  type Read,
  type Write
} from "./define/defineGateway.ts"
import { orThrow, svcErrorOf, thrownFailure } from "./hostFailure.ts"

const contextOf = (signal: AbortSignal): GatewayContext => ({
  signal,
  fail: (code, message) => svcErrorOf(failureOf(code, { message }))
})

/** Calls a function of the host. Fails with what it throws, or `late` after a time. */
const called = <A>(name: string, millis: number, run: (context: GatewayContext) => Promise<A>) =>
  Effect.tryPromise({ try: async (signal) => run(contextOf(signal)), catch: (error) => error }).pipe(
    Effect.timeoutOrElse({
      duration: millis,
      orElse: () => Effect.fail(new GatewayError({ message: `The gateway did not finish within ${millis} ms.` }))
    }),
    Effect.tapError((error) => Effect.logWarning("A function of the host's gateway failed", { function: name }, error))
  )

const textOr = (text: unknown, otherwise: string): string => (typeof text === "string" ? text : otherwise)

const idOf = (id: unknown): string | null => (typeof id === "string" ? id : null)

/** The host's refusal or unavailability; undefined for anything else. */
const declined = (outcome: unknown): Refused | Extract<SendResult, { _tag: "Unavailable" }> | undefined => {
  const { code, detail, kind, outcome: word, retryAfterSeconds } = Object(outcome)
  if (word === "unavailable") return { _tag: "Unavailable", detail: textOr(detail, "The gateway is unavailable.") }
  const refusal = refusalKinds.find((known) => known === kind)
  if (word !== "refused" || refusal === undefined) return undefined
  const seconds = Number(retryAfterSeconds ?? Number.NaN)
  return {
    _tag: "Refused",
    kind: refusal,
    providerCode: textOr(code, refusal),
    retryAfterSeconds: Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : null
  }
}

/** The result of a write. What is none of its outcomes may have been sent. */
const sendResultOf = (outcome: unknown): SendResult => {
  const { detail, externalId, messageId, outcome: word } = Object(outcome)
  if (word === "confirmed") return { _tag: "Confirmed", messageId: idOf(messageId), externalId: idOf(externalId) }
  if (word === "unknown") return { _tag: "Unknown", detail: textOr(detail, "The gateway does not know the outcome.") }
  return declined(outcome) ?? { _tag: "Unknown", detail: "The gateway returned no outcome." }
}

const relationOf = (found: unknown): RelationResult => {
  const { chatId, connected, invitation } = Object(found)
  if (typeof connected === "boolean" && (invitation === "none" || invitation === "pending"))
    return { _tag: "Known", relation: { connected, chatId: idOf(chatId), invitation } }
  return declined(found) ?? { _tag: "Unavailable", detail: "The gateway returned no relation." }
}

/** How every read may fail. */
const providerFailures = [GatewayError, GatewayRejected, GatewayUnconfigured, UsageLimit, Unavailable] as const

/** The failure of a read: the one that was thrown, if it is of these classes; otherwise GATEWAY_ERROR. */
const readFailure = <F extends Failure>(
  operation: string,
  error: unknown,
  classes: ReadonlyArray<FailureClass>
): F | GatewayError => {
  const failure = thrownFailure(error)
  const isDeclared = (known: Failure | undefined): known is F => classes.some(({ code }) => code === known?.code)
  if (isDeclared(failure)) return failure
  return new GatewayError({ message: `The gateway failed at ${operation}. Try again later, or look into the log.` })
}

const isPage = (list: string) => (page: unknown) => Array.isArray(Object(page)[list])
const isText = (value: unknown) => typeof value === "string"
const isObject = (value: unknown) => typeof value === "object" && value !== null

/** The layer of a host's gateway. */
export const functionGateway = (definition: GatewayDefinition): Layer.Layer<LinkedInGateway> => {
  const { accounts = {}, automaticAccount, name, timeouts } = definition
  const { read: readMillis = 7_000, write: writeMillis = 14_000 } = timeouts ?? {}

  /** A write, whose failure may have come after sending. */
  const write =
    <Request>(operation: string, run: Write<Request>) =>
    (account: LinkedInAccount, request: Request): Effect.Effect<SendResult> =>
      called(operation, writeMillis, (context) => run.call(definition, account, request, context)).pipe(
        Effect.map(sendResultOf),
        Effect.orElseSucceed(
          (): SendResult => ({ _tag: "Unknown", detail: `The gateway failed at ${operation}, maybe after sending.` })
        )
      )

  /** A read whose result must pass a check; `more` are its failures beyond those of every read. */
  const reading = <A, F extends Failure = never>(
    operation: string,
    run: (context: GatewayContext) => Promise<A>,
    fits: (result: unknown) => boolean,
    more: ReadonlyArray<FailureClass<F>> = []
  ): Effect.Effect<A, F | ProviderFailure> =>
    called(operation, readMillis, run).pipe(
      Effect.flatMap((result) => (fits(result) ? Effect.succeed(result) : Effect.fail("an unexpected result"))),
      Effect.mapError((error) => readFailure<F | ProviderFailure>(operation, error, [...providerFailures, ...more]))
    )

  /** A read for an account, which a host may leave out. */
  const read =
    <Request, A, F extends Failure = never>(
      operation: string,
      run: Read<Request, A> | undefined,
      fits: (result: unknown) => boolean,
      more?: ReadonlyArray<FailureClass<F>>
    ) =>
    (account: LinkedInAccount, request: Request): Effect.Effect<A, F | ProviderFailure> =>
      run === undefined
        ? Effect.fail(new GatewayUnconfigured())
        : reading(operation, (context) => run.call(definition, account, request, context), fits, more)

  const { connectLink, find, readEvent, subscribe } = accounts
  return Layer.succeed(LinkedInGateway, {
    name,
    automaticAccount: (agent) => {
      const account = automaticAccount?.(agent)
      return account && { tier: "FREE", features: [], ...account }
    },
    relation: (account, recipient) =>
      called("relation", readMillis, (context) => definition.relation(account, recipient, context)).pipe(
        Effect.map(relationOf),
        Effect.orElseSucceed((): RelationResult => ({ _tag: "Unavailable", detail: "The gateway failed at relation." }))
      ),
    sendToChat: write("sendToChat", definition.sendToChat),
    startChat: write("startChat", definition.startChat),
    sendInvitation: write("sendInvitation", definition.sendInvitation),
    withdrawInvitation:
      definition.withdrawInvitation === undefined
        ? sendingOnly.withdrawInvitation
        : write("withdrawInvitation", definition.withdrawInvitation),
    searchPeople: read("searchPeople", definition.searchPeople, isPage("people"), [NotAPeopleSearch]),
    resolveProfile: read("resolveProfile", definition.resolveProfile, isObject, [NotFound]),
    findChat: read("findChat", definition.findChat, (chat) => chat === null || typeof chat === "string"),
    listMessages: read("listMessages", definition.listMessages, isPage("messages")),
    listRelations: read("listRelations", definition.listRelations, isPage("relations")),
    accounts: {
      find: find && ((id) => reading("accounts.find", (context) => find(id, context), isObject, [NotFound])),
      connectLink:
        connectLink &&
        ((request) => reading("accounts.connectLink", (context) => connectLink(request, context), isText)),
      subscribe:
        subscribe &&
        ((id, url) =>
          reading(
            "accounts.subscribe",
            (context) => subscribe(id, url, context),
            () => true,
            [NotFound]
          )),
      readEvent:
        readEvent &&
        ((payload) =>
          Result.try({
            try: () => readEvent(payload),
            catch: () => new InvalidInput({ message: "The event is none of the provider's." })
          }))
    }
  })
}

/** Whether a gateway is a host's functions. */
export const isGatewayDefinition = (gateway: unknown): gateway is GatewayDefinition =>
  isObject(gateway) && !Layer.isLayer(gateway)

/** The layer of a host's gateway, checked. Throws {@link SvcError} INVALID_INPUT. */
export const ownGatewayLayer = <E>(
  gateway: Layer.Layer<LinkedInGateway, E> | GatewayDefinition
): Layer.Layer<LinkedInGateway, E> => {
  if (!isGatewayDefinition(gateway)) return gateway
  orThrow(isGateway(gateway, "gateway"))
  return functionGateway(gateway)
}
