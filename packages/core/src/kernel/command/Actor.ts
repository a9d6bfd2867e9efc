/**
 * Who acts: the organization, the user, what kind of actor, and what the key allows.
 *
 * Every call has exactly one actor. The organization of everything a command touches is the actor's; it never comes
 * from input.
 */
import * as Context from "effect/Context"
import type { KeyId, OrganizationId, UserId } from "../schema/RecordIds.ts"
import { visibleText } from "../schema/TextRules.ts"
import type { PolicyLayers, Scope } from "./Permission.ts"

/** Its name and version; null without a version. */
export interface ClientInfo {
  readonly name: string
  readonly version: string | null
}

const maxName = 80

const maxVersion = 40

const lineOf = (value: unknown, max: number): string =>
  typeof value === "string"
    ? visibleText(value.slice(0, max * 4))
        .replaceAll(/\s+/g, " ")
        .trim()
        .slice(0, max)
        .toWellFormed()
    : ""

/** What a program says of itself, as one line of visible characters, cut to 80 and 40; undefined without a name. */
export const clientInfo = (name: unknown, version: unknown): ClientInfo | undefined => {
  const shown = lineOf(name, maxName)
  return shown === "" ? undefined : { name: shown, version: lineOf(version, maxVersion) || null }
}

const decoded = (part: string | undefined): string | undefined => {
  if (part === undefined) return undefined
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The header `Svc-Client` of a program: name and version, each percent-encoded, with a slash in between. */
export const clientHeader = ({ name, version }: ClientInfo): string =>
  [name, ...(version === null ? [] : [version])].map(encodeURIComponent).join("/")

/** The program that a header `Svc-Client` names, such as `sales-bot/1.2`; undefined when it names none. */
export const clientOfHeader = (header: string | undefined): ClientInfo | undefined => {
  if (header === undefined) return undefined
  const [name, version] = header.split("/", 2)
  return clientInfo(decoded(name), decoded(version))
}

/** A person, or an AI agent that writes in a person's name. */
export type ActorKind = "USER" | "AI_AGENT"

/** `draft_only` reads and writes drafts, and can neither approve nor send, whatever its scopes say. */
export type ActorMode = "full" | "draft_only"

/**
 * The actor as every command sees it. `keyId` is null for a host program that acts without a key. `policies` were read
 * with the key; without them Dispatch reads the organization's. `parentKeyId` is the key that a session of the review page
 * came from; `keyId` is then the session's own. `grantor` is the key of the person who signed in an AI agent, with the scopes
 * that it has now; `keyId` is then that of the agent's tokens. `client` is the program that it calls with, if that says what it
 * is.
 */
export interface ActorIdentity {
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly kind: ActorKind
  readonly mode: ActorMode
  readonly scopes: ReadonlyArray<Scope>
  readonly keyId: KeyId | null
  readonly parentKeyId?: KeyId
  readonly grantor?: { readonly keyId: KeyId; readonly scopes: ReadonlyArray<Scope> }
  readonly policies?: PolicyLayers
  readonly client?: ClientInfo
}

/** The key that an actor has its rights from: for a session, the one that it came from. */
export const rightsKeyOf = ({ keyId, parentKeyId }: ActorIdentity): KeyId | null => parentKeyId ?? keyId

/** The actor of the running command. */
export class Actor extends Context.Service<Actor, ActorIdentity>()("@svc/core/Actor") {}
