/** Policies: whether an organization and a key allow commands, ask a person first, or deny them. */
import type { UserId } from "../schema/IdsAndTime.ts"

/** From the least to the most strict: run, ask a person first, or refuse. */
export const permissions = ["allow", "ask", "deny"] as const

/** See {@link permissions}. */
export type Permission = (typeof permissions)[number]

/** A person who decides on approval requests, and the address to write to about them. */
export interface Approver {
  readonly user_id: UserId
  readonly email?: string
}

/** Rules for approval requests, of an organization only. */
export interface ApprovalRules {
  /** Who may decide; absent for everyone with the right. */
  readonly approvers?: ReadonlyArray<Approver>
  /** Days until a request expires. */
  readonly expiryDays?: number
  /** Whether the answer of an MCP client's user counts as a decision. */
  readonly clientAnswers?: boolean
}

/** What an organization requires of the texts that it sends. */
export interface TextRules {
  /** A sentence that texts must contain. */
  readonly disclosure?: string
  /** Whose texts must contain it; absent for everyone's. */
  readonly disclosureFor?: "all" | "ai_agents"
  /** Evidence that drafts must have: for anything, or for each figure. */
  readonly evidence?: "any" | "figures"
  /** Whether e-mails wait until the domain of their sender is set up (SPF, DKIM, DMARC). */
  readonly emailAuthentication?: "required"
  /** Whether the first contact of a lead waits until its lawful basis is known. */
  readonly lawfulBasis?: "required"
  /** Days that leads are kept after their last change or message, by lawful basis; those of others are kept forever. */
  readonly retentionDays?: { readonly [Basis in (typeof knownBases)[number]]?: number }
}

/** The lawful bases for processing personal data: article 6(1) of the GDPR, in its order. */
export const lawfulBases = [
  "consent",
  "contract",
  "legal_obligation",
  "vital_interests",
  "public_task",
  "legitimate_interests"
] as const

/** A lawful basis, or that none is known. */
export const knownBases = [...lawfulBases, "none"] as const

/**
 * Rules for commands by their risk, and for AI agents that approve or send, whatever the risk. Without a rule the next
 * layer decides; without any, the command is allowed.
 */
export interface CommandPolicy extends ApprovalRules, TextRules {
  readonly approval?: Permission
  readonly mutate?: Permission
  readonly agents?: Permission
}

/** Rules to change; null removes a rule, and absent ones stay. */
export type PolicyChange = { readonly [Rule in keyof CommandPolicy]?: CommandPolicy[Rule] | null | undefined }

/** A key's own policy, which takes precedence, and its organization's. */
export interface PolicyLayers {
  readonly key: CommandPolicy
  readonly organization: CommandPolicy
}

/** No policies: everything is allowed. */
export const noPolicies: PolicyLayers = { key: {}, organization: {} }

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

/** A person, or an AI agent that writes in a person's name. */
export type ActorKind = "USER" | "AI_AGENT"

/** `draft_only` reads and writes drafts, and can neither approve nor send, whatever its scopes say. */
export type ActorMode = "full" | "draft_only"
