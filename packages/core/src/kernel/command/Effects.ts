/** What a run does and which channels it reaches: declared by every command, and read by every rule about it. */

/**
 * What a run does. `drafts` prepares texts for others to approve; `approves` decides what, or how much, may be sent, or
 * settles what was sent; `sends` acts on a channel in an agent's name, visible to others; `governs` sets policies,
 * resolves approval requests or signs a person in, so an organization's policies cannot block it, and no AI agent may do it.
 * `answers` passes on what the user of an MCP client said to a question of this service; the rules for approval requests say
 * what it counts, no policy holds it, and no model may call it.
 */
type Action = "reads" | "drafts" | "writes" | "approves" | "sends" | "governs" | "answers"

/** Where messages are sent. */
type Channel = "linkedin" | "email"

/** What a run does at most, including with options that do more; but for what its command `includes` with some inputs. */
export interface Effects {
  readonly does: ReadonlyArray<Action>
  /** Channels on which a run acts or allows sending; empty if it stays within the workspace. */
  readonly channels: ReadonlyArray<Channel>
}

/** Whether a run only reads and drafts: what a draft-only key may do. */
export const readsOrDrafts = ({ does }: Effects): boolean => does.every((deed) => deed === "reads" || deed === "drafts")

/** Whether a run approves or sends: what a policy for AI agents restricts. */
export const approvesOrSends = ({ does }: Effects): boolean => does.includes("approves") || does.includes("sends")

/** Whether a run sets a policy, resolves an approval request or signs a person in. */
export const governs = ({ does }: Effects): boolean => does.includes("governs")

/** Whether a run passes on what the user of an MCP client said: clients call it, never their models. */
export const answers = ({ does }: Effects): boolean => does.includes("answers")

/** Whether a model may call it: not what passes on its user's answers, and not what takes or returns a secret. */
export const isForModels = (command: {
  readonly effects: Effects
  readonly annotations: { readonly secret?: boolean }
}): boolean => !answers(command.effects) && command.annotations.secret !== true
