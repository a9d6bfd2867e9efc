/** The target of a request: path segments and query parameters, decoded once or refused. Source: contract 7 "HTTP". */

import { nearestName } from "@svc/core/Decode"
import { type Failure, fail } from "@svc/core/Failure"
import { quote } from "@svc/core/Quote"
import * as Result from "effect/Result"

/** A path as segments; undefined for one that is never routed: `//`, `.`, `..`, NUL, broken percent-encoding. */
export const parsePath = (target: string): ReadonlyArray<string> | undefined => {
  const end = target.search(/[?#]/)
  const path = end === -1 ? target : target.slice(0, end)
  if (!path.startsWith("/")) return undefined
  const segments: Array<string> = []
  for (const raw of path.slice(1).split("/")) {
    const segment = decode(raw)
    if (segment === undefined || segment === "" || segment === "." || segment === "..") return undefined
    if (segment.includes("\0") || segment.includes("/")) return undefined
    segments.push(segment)
  }
  return segments
}

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Query parameters by name. */
export type Query = ReadonlyMap<string, string>

/** Reads the query of a target. Fails when a parameter is not `known`, comes twice, or is badly encoded. */
export const parseQuery = (target: string, known: ReadonlyArray<string>): Result.Result<Query, Failure> => {
  const start = target.indexOf("?")
  const query = new Map<string, string>()
  if (start === -1) return Result.succeed(query)
  const text = target.slice(start + 1).split("#", 1)[0] ?? ""
  for (const pair of text.split("&")) {
    if (pair === "") continue
    const equals = pair.indexOf("=")
    const name = decode((equals === -1 ? pair : pair.slice(0, equals)).replaceAll("+", " "))
    const value = decode((equals === -1 ? "" : pair.slice(equals + 1)).replaceAll("+", " "))
    if (name === undefined || value === undefined) {
      return Result.fail(fail("INVALID_INPUT", "The query is not valid percent-encoded UTF-8. Encode it again."))
    }
    if (!known.includes(name)) return Result.fail(unknownParameter(name, known))
    if (query.has(name)) return Result.fail(fail("INVALID_INPUT", `${name} is given twice in the query. Send it once.`))
    query.set(name, value)
  }
  return Result.succeed(query)
}

const unknownParameter = (name: string, known: ReadonlyArray<string>): Failure => {
  const shown = quote(name)
  const nearest = nearestName(name, known)
  if (nearest !== undefined) {
    return fail("UNKNOWN_FIELD", `${shown} is not a query parameter of this path; did you mean ${nearest}?`)
  }
  const what = known.length === 0 ? "it takes none" : `known are ${known.join(", ")}`
  return fail("UNKNOWN_FIELD", `${shown} is not a query parameter of this path; ${what}.`)
}
