/** A REST binding's request, from the input of the command behind it. */
import type { RestBinding } from "#http/RestBinding.ts"

/** What is asked: the target with its query, and the body's text where the method takes one. */
export interface RestRequest {
  readonly method: string
  readonly target: string
  readonly body: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** Spreads an input over path, query, headers and body, as the binding would gather it again. */
export const restRequest = (binding: RestBinding, input: Readonly<Record<string, unknown>>): RestRequest => {
  const rest = { ...input }
  const take = (name: string): unknown => {
    const value = rest[name]
    delete rest[name]
    return value
  }
  const path = binding.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(take(name)).toWellFormed())
  )
  const query = Object.keys(binding.parameters ?? {}).flatMap((name) => {
    const value = take(name)
    return value === undefined ? [] : [`${name}=${encodeURIComponent(String(value).toWellFormed())}`]
  })
  const tag = take("ifMatch")
  const takesBody = binding.method === "POST" || binding.method === "PATCH"
  return {
    method: binding.method,
    target: query.length === 0 ? path : `${path}?${query.join("&")}`,
    body: takesBody ? JSON.stringify(rest) : undefined,
    headers: typeof tag === "string" && /^[\x21-\x7e]+$/.test(tag) ? { "if-match": tag } : {}
  }
}
