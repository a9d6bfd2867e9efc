/** The target of a request: its path and query parameters, decoded or rejected. */

import { decodePercent, type Failure, InvalidInput, nearestName, quote, UnknownField } from "@svc/core"
import * as Result from "effect/Result"

/** Whether a segment of a path, still encoded, may be routed. */
const isSegment = (raw: string): boolean => {
  const segment = decodePercent(raw)
  return segment !== undefined && !/^\.{0,2}$|[\0/]/.test(segment)
}

/** Paths that need no decoding: plain segments, none of them `.` or `..`. */
const plainPath = /^(?:\/[\w~-][\w.~-]*)+$/

/** The path to route; undefined if it has `//`, `.`, `..`, NUL, `%2F` or broken percent-encoding. */
export const routedPath = (target: string): string | undefined => {
  const end = target.search(/[?#]/)
  const path = end === -1 ? target : target.slice(0, end)
  if (plainPath.test(path)) return path
  const isRouted = path === "/" || (path.startsWith("/") && path.slice(1).split("/").every(isSegment))
  // The router would treat what follows a semicolon as a query.
  return isRouted ? path.replaceAll(";", "%3B") : undefined
}

/** Query parameters by name. */
export type Query = ReadonlyMap<string, string>

/** Reads the query of a target. Fails when a parameter is unknown, repeated or badly encoded. */
export const parseQuery = (target: string, known: ReadonlyArray<string>): Result.Result<Query, Failure> => {
  const start = target.indexOf("?")
  const query = new Map<string, string>()
  if (start === -1) return Result.succeed(query)
  const text = target.slice(start + 1).split("#", 1)[0] ?? ""
  for (const pair of text.split("&")) {
    if (pair === "") continue
    const equals = pair.indexOf("=")
    const name = decodePercent((equals === -1 ? pair : pair.slice(0, equals)).replaceAll("+", " "))
    const value = decodePercent((equals === -1 ? "" : pair.slice(equals + 1)).replaceAll("+", " "))
    if (name === undefined || value === undefined) {
      return Result.fail(
        new InvalidInput({ message: "The query is not valid percent-encoded UTF-8. Encode it again." })
      )
    }
    if (!known.includes(name)) return Result.fail(unknownParameter(name, known))
    if (query.has(name))
      return Result.fail(new InvalidInput({ message: `${name} appears twice in the query. Send it once.` }))
    query.set(name, value)
  }
  return Result.succeed(query)
}

const unknownParameter = (name: string, known: ReadonlyArray<string>): Failure => {
  const shown = quote(name)
  const nearest = nearestName(name, known)
  if (nearest !== undefined) {
    return new UnknownField({ message: `${shown} is not a query parameter of this path. Did you mean ${nearest}?` })
  }
  const what = known.length === 0 ? "This path has no query parameters" : `Known parameters: ${known.join(", ")}`
  return new UnknownField({ message: `${shown} is not a query parameter of this path. ${what}.` })
}
