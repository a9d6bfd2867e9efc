/** What a command does to the outside is declared on it, and nothing else decides what a key or a policy lets it do. */
import { assert, describe, it } from "@effect/vitest"
import { type Commands, commands } from "#core/commands.ts"
import type { EmailGateway } from "#core/email/EmailGateway.ts"
import type { ImportRunner } from "#core/imports/ImportRunner.ts"
import type { AnyCommand, RequirementsOf } from "#core/kernel/command/Command.ts"
import { answers, approvesOrSends, governs, readsOrDrafts } from "#core/kernel/command/Effects.ts"
import { noPolicies } from "#core/kernel/command/Permission.ts"
import { permissionOf, refusal } from "#core/kernel/command/Policy.ts"
import type { LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import { owner } from "../support/memory.ts"

type Gateway = LinkedInGateway | ImportRunner | EmailGateway

type Reaching<C = Commands> = C extends Commands
  ? [Extract<RequirementsOf<C>, Gateway>] extends [never]
    ? never
    : C["id"]
  : never

/** Commands whose run needs a service that speaks with a provider. The compiler keeps the list complete and without excess. */
const reaching: Readonly<Record<Reaching, true>> = {
  "import.linkedin.search": true,
  "import.resume": true,
  "import.sales-nav.filters": true,
  "import.sales-nav.search": true,
  "linkedin.account.link": true,
  "linkedin.account.list": true,
  "linkedin.account.unlink": true,
  "linkedin.conversation.sync": true,
  "linkedin.draft.approve": true,
  "linkedin.draft.approve-many": true,
  "linkedin.invitation.send": true,
  "linkedin.invitation.withdraw": true,
  "linkedin.queue.forecast": true,
  "linkedin.usage.get": true,
  "linkedin.usage.set-limits": true,
  "review.counts": true,
  "review.explain": true,
  "review.get": true,
  "review.list": true,
  "workspace.status": true
}

const idsOf = (test: (command: AnyCommand) => boolean): ReadonlyArray<string> =>
  commands.filter(test).map(({ id }) => id)

describe("the effects of a command", () => {
  it("name the channel of every run that can speak with a provider", () => {
    const silent = Object.keys(reaching).filter(
      (id) => !commands.find((command) => command.id === id)?.effects.channels.includes("linkedin")
    )
    assert.deepStrictEqual(silent, [])
  })

  it("name a channel wherever something is approved or sent", () => {
    assert.deepStrictEqual(
      idsOf(({ effects }) => approvesOrSends(effects) && effects.channels.length === 0),
      []
    )
  })

  it("agree with risk and scope", () => {
    for (const { effects, id, risk, scope } of commands) {
      assert.strictEqual(effects.does.join() === "reads", risk === "read", id)
      assert.strictEqual(effects.does.includes("drafts"), scope === "linkedin:draft", id)
      if (approvesOrSends(effects)) assert.match(scope, /^(linkedin|email):(approve|send)$/, id)
    }
    // Taking an e-mail back needs the scope that sends it, and lets nothing out.
    assert.deepStrictEqual(
      idsOf(({ effects, scope }) => /:(approve|send)$/.test(scope) && !approvesOrSends(effects)),
      ["email.cancel"]
    )
  })

  it("leave the transactions of an outward run unexplained only where rows are written in several", () => {
    assert.deepStrictEqual(idsOf(({ effects, outward }) => outward && effects.channels.length === 0).toSorted(), [
      "agent-run.undo",
      "import.csv",
      "import.leads.add",
      "import.undo"
    ])
  })

  it("say what passes on answers, which no policy holds and no model may call", () => {
    assert.deepStrictEqual(idsOf(({ effects }) => answers(effects)).toSorted(), [
      "approval.answer",
      "approval.ask-client"
    ])
  })

  it("say what governs", () => {
    assert.deepStrictEqual(idsOf(({ effects }) => governs(effects)).toSorted(), [
      "approval.resolve",
      "policy.set",
      "session.link.create"
    ])
  })
})

describe.for(commands)("$id", (command) => {
  const { effects, risk } = command

  it("is open to a draft-only key exactly when it reads or prepares", () => {
    const refused = refusal({ ...owner(), scopes: ["admin"], mode: "draft_only" }, command)
    assert.strictEqual(refused === undefined, readsOrDrafts(effects))
  })

  it("is stopped by a policy for AI agents exactly when it lets something out", () => {
    for (const agents of ["ask", "deny"] as const) {
      const policies = { ...noPolicies, organization: { agents } }
      assert.strictEqual(permissionOf(policies, command, "AI_AGENT"), approvesOrSends(effects) ? agents : "allow")
      assert.strictEqual(permissionOf(policies, command, "USER"), "allow")
    }
  })

  it("is stopped by the organization's rule for its risk unless it governs, and by the key's in any case", () => {
    const rule = { approval: "deny", mutate: "deny" } as const
    const byOrganization = permissionOf({ ...noPolicies, organization: rule }, command, "USER")
    assert.strictEqual(byOrganization, risk === "read" || answers(effects) || governs(effects) ? "allow" : "deny")
    const byKey = permissionOf({ ...noPolicies, key: rule }, command, "USER")
    assert.strictEqual(byKey, risk === "read" || answers(effects) ? "allow" : "deny")
  })
})
