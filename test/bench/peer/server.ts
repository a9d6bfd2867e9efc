/** The peer: the service's hot endpoints as one would write them by hand, on Fastify and `pg`. */
import { randomUUID } from "node:crypto"
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from "fastify"
import { createDraft, draftInput } from "./createDraft.ts"
import type { Query } from "./database.ts"
import { Failure } from "./Failure.ts"
import { type Actor, makeAuthenticate } from "./keys.ts"
import { readOffers } from "./readOffers.ts"
import { readProspect } from "./readProspect.ts"
import { draftResponse, offersResponse, prospectResponse, upsertResponse } from "./responseSchemas.ts"
import { type Command, failureEnvelope, runCommand } from "./runCommand.ts"
import { upsertInput, upsertLead } from "./upsertLead.ts"

declare module "fastify" {
  interface FastifyRequest {
    actor: Actor | null
  }
}

const actorOf = ({ actor }: FastifyRequest): Actor => {
  if (actor === null) throw new Failure(401, "UNAUTHENTICATED", "The API key is missing or not valid.")
  return actor
}

const requireScope = (actor: Actor, scope: string): void => {
  if (!actor.scopes.includes(scope)) throw new Failure(403, "FORBIDDEN_SCOPE", `This key lacks the scope ${scope}.`)
}

const optionsQuery = {
  type: "object",
  additionalProperties: false,
  properties: { dry_run: { enum: ["true", "false"] }, response_profile: { enum: ["full"] } }
}

const idempotencyHeaders = {
  type: "object",
  properties: { "idempotency-key": { type: "string", pattern: "^[ -~]{1,255}$" } }
}

const addCommand = <Input>(
  app: FastifyInstance,
  query: Query,
  command: Command<Input>,
  body: object,
  response: object
): void => {
  app.post<{ Querystring: { dry_run?: string }; Headers: { "idempotency-key"?: string } }>(
    `/api/v1/commands/${command.id}`,
    {
      config: { isCommand: true },
      schema: { body, querystring: optionsQuery, headers: idempotencyHeaders, response: { "2xx": response } }
    },
    async (request, reply) => {
      const { envelope, isReplayed } = await runCommand(query, command, actorOf(request), request.body as Input, {
        isDryRun: request.query.dry_run === "true",
        idempotencyKey: request.headers["idempotency-key"]
      })
      if (isReplayed) reply.header("idempotency-replayed", "true")
      return reply.code(envelope.status).send(envelope)
    }
  )
}

/** Builds the server; `catalogue` is the body of the list of commands. */
export const makeServer = (query: Query, catalogue: string): FastifyInstance => {
  const app = Fastify({
    genReqId: () => `req_${randomUUID()}`,
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: true, allErrors: false } }
  })
  const authenticate = makeAuthenticate(query)
  app.decorateRequest("actor", null)
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({
      "svc-request-id": request.id,
      "svc-version": "0.1.0",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff"
    })
    if (request.url !== "/healthz") request.actor = await authenticate(request.headers.authorization)
  })
  app.setErrorHandler((cause: FastifyError, request, reply) => {
    const status = cause.statusCode ?? 500
    const isUnknownField = cause.validation?.[0]?.keyword === "additionalProperties"
    const code = isUnknownField ? "UNKNOWN_FIELD" : status < 500 ? "INVALID_INPUT" : "INTERNAL"
    const message = status < 500 ? cause.message : `Unexpected error in request ${request.id}.`
    if (status >= 500 && !(cause instanceof Failure)) process.stderr.write(`${cause.stack}\n`)
    const failure = cause instanceof Failure ? cause : new Failure(status, code, message)
    reply.code(failure.status)
    const isEnvelope = "isCommand" in request.routeOptions.config && failure.status === 400
    return reply.send(
      isEnvelope ? failureEnvelope(failure, "") : { error: { message: failure.message, code: failure.code } }
    )
  })

  app.get(
    "/healthz",
    { schema: { response: { 200: { type: "object", properties: { status: { type: "string" } } } } } },
    () => Promise.resolve({ status: "ok" })
  )
  const bytes = Buffer.from(catalogue)
  app.get("/api/v1/commands", (request, reply) => {
    actorOf(request)
    return reply.header("content-type", "application/json").send(bytes)
  })
  addCommand(app, query, upsertLead, upsertInput, upsertResponse)
  addCommand(app, query, createDraft, draftInput, draftResponse)
  app.get<{ Querystring: { limit?: string; cursor?: string } }>(
    "/api/v1/offers",
    {
      schema: {
        querystring: {
          type: "object",
          additionalProperties: false,
          properties: {
            limit: { type: "string", pattern: "^([1-9][0-9]?|100)$" },
            cursor: { type: "string", minLength: 1, maxLength: 1_000 }
          }
        },
        response: { 200: offersResponse }
      }
    },
    (request) => {
      const actor = actorOf(request)
      requireScope(actor, "offers:read")
      return readOffers(query, actor, Number(request.query.limit ?? "25"), request.query.cursor)
    }
  )
  app.get<{ Querystring: { uri: string } }>(
    "/api/v1/resources/read",
    {
      schema: {
        querystring: {
          type: "object",
          additionalProperties: false,
          required: ["uri"],
          properties: { uri: { type: "string", minLength: 1 } }
        },
        response: { 200: prospectResponse }
      }
    },
    (request) => {
      const actor = actorOf(request)
      requireScope(actor, "leads:read")
      return readProspect(query, actor, request.query.uri)
    }
  )
  return app
}
