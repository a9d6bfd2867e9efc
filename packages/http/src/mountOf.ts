/** Where a host mounted the surface. */
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpSettings } from "./HttpSettings.ts"

/**
 * The path that a framework took off a request's `url`, "" for none. Frameworks such as Express keep the whole in
 * `originalUrl`.
 */
const takenOff = (source: object): string => {
  const { originalUrl, url } = source as { readonly originalUrl?: unknown; readonly url?: unknown }
  return typeof originalUrl === "string" && typeof url === "string" && originalUrl.endsWith(url)
    ? originalUrl.slice(0, originalUrl.length - url.length)
    : ""
}

const wellKnown = /^\/\.well-known\/(?:oauth-protected-resource|oauth-authorization-server|openid-configuration)(?=\/)/

/** The target of a request below the mount; undefined if it lies elsewhere. */
export const targetBelow = (mount: string, source: object, target: string): string | undefined => {
  if (mount === "") return target
  const whole = takenOff(source) + target
  if (whole.startsWith(`${mount}/`)) return whole.slice(mount.length)
  // The path of a well-known document has that of what it is about after it (RFC 8414, section 3; RFC 9728, section 3).
  const [name = ""] = wellKnown.exec(whole) ?? []
  const rest = whole.slice(name.length)
  return name !== "" && rest.startsWith(mount) && /^($|[/?])/.test(rest.slice(mount.length))
    ? name + rest.slice(mount.length)
    : undefined
}

/** What links to the surface begin with: its public URL, else the path of its mount. */
export const baseOf = ({ mount, publicUrl }: HttpSettings["Service"], { source }: HttpServerRequest): string =>
  publicUrl() ?? (mount || takenOff(source))
