/** Policies: whether an organization and a key allow commands, ask a person first, or deny them. */

/** From the least to the most strict: run, ask a person first, or refuse. */
export const permissions = ["allow", "ask", "deny"] as const

/** See {@link permissions}. */
export type Permission = (typeof permissions)[number]

/**
 * Rules for commands by their risk, and for AI agents that approve or send, whatever the risk. Without a rule the next
 * layer decides; without any, the command is allowed.
 */
export interface CommandPolicy {
  readonly approval?: Permission
  readonly mutate?: Permission
  readonly agents?: Permission
}

/** Rules to change; null removes a rule, and absent ones stay. */
export type PolicyChange = { readonly [Rule in keyof CommandPolicy]?: Permission | null | undefined }

/** A key's own policy, which takes precedence, and its organization's. */
export interface PolicyLayers {
  readonly key: CommandPolicy
  readonly organization: CommandPolicy
}

/** No policies: everything is allowed. */
export const noPolicies: PolicyLayers = { key: {}, organization: {} }
