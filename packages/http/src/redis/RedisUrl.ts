/** URLs of Redis: `redis://`, or `rediss://` for TLS. */
import { decodePercent, type Failure, InvalidInput, parseUrl } from "@svc/core"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/** A Redis server and its login. `label` is safe to show. */
export interface RedisTarget {
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
  /** The default user when undefined. */
  readonly username: string | undefined
  readonly password: Redacted.Redacted | undefined
  readonly database: number
  readonly label: string
}

const invalidUrl = (): Failure =>
  new InvalidInput({ message: "SVC_REDIS_URL must be redis://HOST:6379 or rediss://USER:PASSWORD@HOST:6379/0." })

/** Parses a URL. Fails with INVALID_INPUT, without showing it. */
export const parseRedisUrl = (text: string): Result.Result<RedisTarget, Failure> => {
  const url = parseUrl(text)
  if (url === undefined || !/^rediss?:$/.test(url.protocol) || url.hostname === "") return Result.fail(invalidUrl())
  const [username, password] = [decodePercent(url.username), decodePercent(url.password)]
  const database = /^\/?(?<number>[0-9]{0,4})$/.exec(url.pathname)?.groups?.["number"]
  if (username === undefined || password === undefined || database === undefined) return Result.fail(invalidUrl())
  if (url.search !== "" || url.hash !== "" || (username !== "" && password === "")) return Result.fail(invalidUrl())
  const port = url.port === "" ? 6379 : Number(url.port)
  return Result.succeed({
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port,
    isSecure: url.protocol === "rediss:",
    username: username === "" ? undefined : username,
    password: password === "" ? undefined : Redacted.make(password, { label: "SVC_REDIS_URL" }),
    database: Number(database),
    label: `${url.protocol}//${url.hostname}:${port}/${Number(database)}`
  })
}
