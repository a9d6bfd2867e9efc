import type { Scope } from "@svc/core"

/** What a scope allows, for the person who grants it. */
export const scopeTexts: Readonly<Record<Scope, string>> = {
  "offers:read": "Read offers",
  "offers:write": "Create and change offers",
  "leads:read": "Read leads and their conversations",
  "leads:write": "Create and change leads",
  "leads:merge": "Merge leads",
  "missions:read": "Read missions",
  "missions:write": "Create and change missions",
  "agents:read": "Read sender personas",
  "agents:write": "Create and change sender personas",
  "imports:read": "Read imports",
  "imports:run": "Import leads",
  "linkedin:read": "Read LinkedIn drafts, messages and accounts",
  "linkedin:draft": "Write LinkedIn drafts",
  "linkedin:approve": "Approve LinkedIn drafts",
  "linkedin:send": "Send LinkedIn messages and invitations",
  "email:read": "Read emails",
  "email:send": "Send emails",
  "email:approve": "Approve emails",
  "events:read": "Read events",
  "webhooks:manage": "Create and change webhooks",
  "keys:manage": "List and revoke keys",
  "audit:read": "Read the audit log",
  "privacy:manage": "Export and erase personal data",
  admin: "Everything"
}
