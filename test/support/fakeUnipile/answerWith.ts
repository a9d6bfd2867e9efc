/** Carries out a plan of the fake as a script wants it, and answers. */
import type { ServerResponse } from "node:http"
import type { FakeError, Plan } from "./Plan.ts"
import type { Script } from "./Script.ts"

const json = { "content-type": "application/json; charset=utf-8" }

const errorBody = (status: number, type: string, title: string): string =>
  JSON.stringify({ status, type: type.startsWith("errors/") ? type : `errors/${type}`, title, detail: title })

const sendError = (response: ServerResponse, { status, type, title }: FakeError): void => {
  response.writeHead(status, json).end(errorBody(status, type, title))
}

const withNullIds = (body: unknown): unknown =>
  typeof body === "object" && body !== null
    ? Object.fromEntries(Object.entries(body).map(([key, value]) => [key, key.endsWith("_id") ? null : value]))
    : body

const drip = (response: ServerResponse): void => {
  response.writeHead(201, json)
  const timer = setInterval(() => response.write(" "), 20)
  response.on("close", () => clearInterval(timer))
}

const sendScripted = (response: ServerResponse, answer: Exclude<Script["answer"], string>): void => {
  const { status, type, title = type ?? "", headers, body, bytes } = answer
  const text = body ?? (type === undefined ? "" : errorBody(status, type, title))
  response.writeHead(status, { ...json, ...headers })
  if (bytes === undefined || text === "") {
    response.end(text)
    return
  }
  for (let sent = 0; sent < bytes; sent += 65_536) response.write(text.repeat(Math.ceil(65_536 / text.length)))
  response.end()
}

/** Does what the plan says, departs from it as the script says, and ends the response. */
export const answerWith = async (response: ServerResponse, plan: Plan, script: Script | undefined): Promise<void> => {
  if (script?.delay !== undefined) await new Promise((resolve) => setTimeout(resolve, script.delay))
  if (plan.refusal !== undefined && (script === undefined || typeof script.answer === "string")) {
    return sendError(response, plan.refusal)
  }
  const isDone = plan.refusal === undefined && (script === undefined || script.accept)
  const body = isDone ? plan.perform() : {}
  const status = plan.status ?? 200
  const answer = script?.answer ?? "ordinary"
  switch (answer) {
    case "ordinary":
      response.writeHead(status, json).end(JSON.stringify(body))
      return
    case "null_ids":
      response.writeHead(status, json).end(JSON.stringify(withNullIds(body)))
      return
    case "drop":
      response.destroy()
      return
    case "cut": {
      const text = JSON.stringify(body)
      response.writeHead(status, { ...json, "content-length": Buffer.byteLength(text) })
      response.write(text.slice(0, Math.floor(text.length / 2)), () => response.destroy())
      return
    }
    case "stall":
      return
    case "drip":
      drip(response)
      return
    default:
      sendScripted(response, answer)
  }
}
