/** The scopes of keys, and their named bundles. */

/** Every scope that a key can have. */
export const scopes = [
  "offers:read",
  "offers:write",
  "leads:read",
  "leads:write",
  "leads:merge",
  "missions:read",
  "missions:write",
  "agents:read",
  "agents:write",
  "imports:read",
  "imports:run",
  "linkedin:read",
  "linkedin:draft",
  "linkedin:approve",
  "linkedin:send",
  "email:read",
  "email:send",
  "email:approve",
  "events:read",
  "webhooks:manage",
  "keys:manage",
  "audit:read",
  "privacy:manage",
  "admin"
] as const

/** A right of a key, `resource:verb`. `admin` includes every other scope. */
export type Scope = (typeof scopes)[number]

const reading = scopes.filter((scope) => scope.endsWith(":read") && scope !== "audit:read")

/** Named bundles of scopes, which `svc keys create --scopes` accepts as well as single scopes. */
export const scopeBundles: Readonly<Record<"read_only" | "drafter" | "approver" | "full", ReadonlyArray<Scope>>> = {
  read_only: reading,
  drafter: [...reading, "linkedin:draft", "leads:write"],
  approver: [...reading, "linkedin:draft", "leads:write", "linkedin:approve", "email:approve"],
  full: scopes
}
