/** What a request to the fake would do, and the parts that its routes share. */
import type { Action } from "./Script.ts"
import type { Webhooks } from "./Webhooks.ts"
import type { FakeAccount, FakePerson, World } from "./World.ts"

/** A refusal in the provider's form; `type` is without `errors/`. */
export interface FakeError {
  readonly status: number
  readonly type: string
  readonly title: string
}

/** A request understood. `perform` does it and gives the body; it runs at most once. */
export interface Plan {
  readonly action?: Action
  readonly slug?: string | undefined
  readonly refusal?: FakeError | undefined
  readonly status?: number
  readonly perform: () => unknown
}

/** A request. `body` holds a JSON object's members or a form's fields. */
export interface FakeRequest {
  readonly method: string
  readonly path: ReadonlyArray<string>
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
}

/** What plans work on. */
export interface Premises {
  readonly world: World
  readonly webhooks: Webhooks
  readonly search: { total: number; failAtPage: number | null; failures: number; cursorLife: number }
  readonly origin: () => string
}

/** A refusal. */
export const refuse = (status: number, type: string, title = type.replaceAll("_", " ")): FakeError => ({
  status,
  type,
  title
})

/** A plan that only refuses. */
export const refused = (refusal: FakeError): Plan => ({ refusal, perform: () => ({}) })

/** The value when it is text, else an empty one. */
export const text = (value: unknown): string => (typeof value === "string" ? value : "")

/** The account of a request, or why it cannot be used. */
export const accountFor = (world: World, id: string): FakeAccount | FakeError => {
  const account = world.accounts.get(id)
  if (account === undefined) return refuse(404, "resource_not_found", "Account not found")
  if (account.status === "RESTRICTED") return refuse(403, "account_restricted")
  return account.status === "OK" ? account : refuse(401, "disconnected_account")
}

const isError = (value: FakeAccount | FakeError): value is FakeError => "type" in value

/** Runs with the account, or refuses. */
export const withAccount = (world: World, id: string, run: (account: FakeAccount) => Plan): Plan => {
  const account = accountFor(world, id)
  return isError(account) ? refused(account) : run(account)
}

/** Runs with the person of any id, or refuses with the given type. */
export const withPerson = (world: World, id: string, type: string, run: (person: FakePerson) => Plan): Plan => {
  const person = world.find(id)
  return person === undefined ? refused(refuse(type === "invalid_recipient" ? 422 : 404, type)) : run(person)
}

/** A page of a list, whose cursor is a place in it. */
export const page = <A>(items: ReadonlyArray<A>, query: URLSearchParams, object: string, usual = 100) => {
  const limit = Number(query.get("limit") ?? usual)
  const start = Number(query.get("cursor") ?? "0")
  const end = start + limit
  return { object, items: items.slice(start, end), cursor: end < items.length ? String(end) : null }
}
