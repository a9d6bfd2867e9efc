/** Made of the catalogue: npm test -- architecture/methods --update. */

/** The ids of commands, by the names of their methods. */
export interface MethodIds {
  readonly offers: {
    /** Create an offer */ readonly create: "offer.create"
    /** Get an offer by its id */ readonly get: "offer.get"
    /** List offers, newest first */ readonly list: "offer.list"
    /** Update an offer */ readonly update: "offer.update"
    /** Publish a draft offer if nothing is missing */ readonly publish: "offer.publish"
    /** Delete an offer that no mission uses */ readonly delete: "offer.delete"
    /** Find missing proof, vague claims and dead links */ readonly check: "offer.check"
  }
  readonly leads: {
    /** Create or update a lead, matched by any identifier */ readonly upsert: "lead.upsert"
    /** Get a lead with its messages, draft and next action */ readonly get: "lead.get"
    /** Search leads by text, status, mission, score or action */ readonly search: "lead.search"
    readonly status: {
      /** Set a lead's status */ readonly set: "lead.status.set"
    }
    readonly note: {
      /** Add a note to a lead */ readonly add: "lead.note.add"
    }
    /** List everything that happened with a lead, newest first */ readonly timeline: "lead.timeline"
    readonly message: {
      /** Record a message that was sent or received elsewhere */ readonly record: "lead.message.record"
    }
    readonly mission: {
      /** Add up to 1,000 existing leads to a mission */ readonly add: "lead.mission.add"
      /** Remove up to 1,000 leads from a mission */ readonly remove: "lead.mission.remove"
    }
    /** List groups of leads that may be the same person */ readonly duplicates: "lead.duplicates"
    readonly identifier: {
      /** Remove a wrong identifier from a lead */ readonly remove: "lead.identifier.remove"
    }
    /** Merge several leads of the same person into one */ readonly merge: "lead.merge"
    readonly score: {
      /** Compare a lead's score with an explained estimate */ readonly explain: "lead.score.explain"
    }
    readonly field: {
      /** Add or change a field of your own for leads */ readonly set: "lead.field.set"
      /** List your own fields of leads, and tags in use */ readonly list: "lead.field.list"
    }
    readonly filter: {
      /** Save filters of lead.search under a name */ readonly save: "lead.filter.save"
      /** List the saved filters of lead.search */ readonly list: "lead.filter.list"
    }
    /** Block a person or a domain from being contacted */ readonly suppress: "lead.suppress"
    readonly suppression: {
      /** Allow a suppressed person or domain to be contacted again */ readonly lift: "lead.suppression.lift"
      /** Check whether people or domains are suppressed */ readonly check: "lead.suppression.check"
    }
    /** Export all data about a person as JSON */ readonly export: "lead.export"
    /** Erase a person and all their data permanently */ readonly erase: "lead.erase"
  }
  readonly missions: {
    /** List leads with a pending action, most urgent first */ readonly nextActions: "mission.next-actions"
    /** Create a mission from an agent, an offer and a brief */ readonly create: "mission.create"
    /** Get a mission by id or handle */ readonly get: "mission.get"
    /** List missions, newest first */ readonly list: "mission.list"
    /** Update a mission's brief, offer, agent or status */ readonly update: "mission.update"
    /** Pause a mission until it is resumed */ readonly pause: "mission.pause"
    /** Resume a paused mission, or start a draft */ readonly resume: "mission.resume"
    /** Mark a mission as completed */ readonly complete: "mission.complete"
    readonly steps: {
      /** Get the follow-ups that a mission plans */ readonly get: "mission.steps.get"
      /** Set the follow-ups that a mission plans */ readonly set: "mission.steps.set"
    }
    /** Delete a mission without leads */ readonly delete: "mission.delete"
    /** Get a mission's statistics in total and over time */ readonly stats: "mission.stats"
    /** Get what happened per mission and day */ readonly activity: "mission.activity"
  }
  readonly linkedin: {
    readonly conversation: {
      /** Ask the writers for a draft to a lead */ readonly requestDraft: "linkedin.conversation.request-draft"
      /** Read the relation and new messages from LinkedIn */ readonly sync: "linkedin.conversation.sync"
      /** List LinkedIn messages with a lead, newest first */ readonly get: "linkedin.conversation.get"
      /** Hide a reply until a time, without a status change */ readonly snooze: "linkedin.conversation.snooze"
    }
    readonly draft: {
      /** Draft up to three variations of a LinkedIn message */ readonly create: "linkedin.draft.create"
      /** Draft messages for up to 20 leads */ readonly createMany: "linkedin.draft.create-many"
      /** Approve a draft variation and optionally send it */ readonly approve: "linkedin.draft.approve"
      /** Approve up to 50 drafts without sending immediately */ readonly approveMany: "linkedin.draft.approve-many"
      /** Find placeholders, wrong names and unproven figures */ readonly check: "linkedin.draft.check"
      /** Get a draft by its id */ readonly get: "linkedin.draft.get"
      /** List LinkedIn drafts, newest first */ readonly list: "linkedin.draft.list"
      /** Update a draft that has not been sent */ readonly update: "linkedin.draft.update"
      /** Ask the writer for a new version */ readonly requestRewrite: "linkedin.draft.request-rewrite"
      /** Hide a draft from the review queue until a time */ readonly snooze: "linkedin.draft.snooze"
      /** Flag a draft for other reviewers */ readonly flag: "linkedin.draft.flag"
      /** Cancel a draft that has not been sent */ readonly cancel: "linkedin.draft.cancel"
      /** Undo an approval, a rejection or a cancellation */ readonly reopen: "linkedin.draft.reopen"
      /** Reject a draft with a reason for its writer */ readonly reject: "linkedin.draft.reject"
    }
    readonly account: {
      /** List LinkedIn accounts and their health */ readonly list: "linkedin.account.list"
      /** Link a LinkedIn account to an agent */ readonly link: "linkedin.account.link"
      /** Unlink the LinkedIn account of an agent */ readonly unlink: "linkedin.account.unlink"
    }
    readonly queue: {
      /** List queued messages and invitations, oldest first */ readonly list: "linkedin.queue.list"
      /** Cancel a queued message or invitation */ readonly cancel: "linkedin.queue.cancel"
      /** Record whether a message of unknown outcome was sent */ readonly resolve: "linkedin.queue.resolve"
      /** Get what each account sends in the next seven days */ readonly forecast: "linkedin.queue.forecast"
    }
    readonly invitation: {
      /** Invite a lead to connect on LinkedIn */ readonly send: "linkedin.invitation.send"
      /** Withdraw an open or queued LinkedIn invitation */ readonly withdraw: "linkedin.invitation.withdraw"
    }
    readonly usage: {
      /** Get usage, limits and send forecasts of accounts */ readonly get: "linkedin.usage.get"
      /** Set the sending and look-up limits of an account */ readonly setLimits: "linkedin.usage.set-limits"
    }
  }
  readonly review: {
    /** List what waits for review, was sent, or needs help */ readonly list: "review.list"
    /** Count the items of each tab of the review queue */ readonly counts: "review.counts"
    /** Get an item with its lead, thread, findings and forecast */ readonly get: "review.get"
    /** Explain why a lead, message or mission waits */ readonly explain: "review.explain"
    /** Mark an item as being looked at, and list other viewers */ readonly open: "review.open"
    /** List the names of people and AI agents with a key */ readonly people: "review.people"
  }
  readonly email: {
    /** Send an email to a lead */ readonly send: "email.send"
    /** List emails and their status, newest first */ readonly list: "email.list"
    /** Cancel an email that has not been sent */ readonly cancel: "email.cancel"
    /** Record whether an email with unknown outcome was sent */ readonly resolve: "email.resolve"
    readonly review: {
      /** List emails under review, newest first */ readonly list: "email.review.list"
      /** Approve, edit or reject an email under review */ readonly decide: "email.review.decide"
    }
    readonly mailbox: {
      /** Check SPF, DKIM and DMARC of a mailbox's domain */ readonly check: "email.mailbox.check"
      /** Set where replies to a mailbox are read (IMAP) */ readonly connectInbox: "email.mailbox.connect-inbox"
      /** Remove where replies to a mailbox are read */ readonly disconnectInbox: "email.mailbox.disconnect-inbox"
      /** List mailboxes with their inboxes, limits and domains */ readonly list: "email.mailbox.list"
      /** Set how many emails a mailbox sends an hour and a day */ readonly setLimits: "email.mailbox.set-limits"
    }
    readonly conversation: {
      /** List emails with a lead, newest first */ readonly get: "email.conversation.get"
    }
    readonly inbound: {
      /** Get the address and secret for posting received emails */ readonly get: "email.inbound.get"
    }
  }
  readonly imports: {
    /** Import leads from a CSV file into a mission */ readonly csv: "import.csv"
    readonly leads: {
      /** Import up to 1,000 leads into a mission */ readonly add: "import.leads.add"
      /** List an import's rows with their outcome and lead */ readonly list: "import.leads.list"
    }
    readonly salesNav: {
      /** Import people from a Sales Navigator search */ readonly search: "import.sales-nav.search"
      /** Import people by Sales Navigator filters and keywords */ readonly filters: "import.sales-nav.filters"
      /** Explain the URL of a Sales Navigator people search */ readonly parse: "import.sales-nav.parse"
    }
    readonly linkedin: {
      /** Import people from a LinkedIn search into a mission */ readonly search: "import.linkedin.search"
    }
    /** Get an import's state, counts and rejected rows */ readonly get: "import.get"
    /** List imports, newest first */ readonly list: "import.list"
    /** Pause a running import */ readonly pause: "import.pause"
    /** Resume a paused, failed or interrupted search import */ readonly resume: "import.resume"
    /** Cancel an import; imported leads stay */ readonly cancel: "import.cancel"
    /** Delete leads that an import created and nobody has used */ readonly undo: "import.undo"
  }
  readonly agents: {
    /** Create a sender persona */ readonly create: "agent.create"
    /** Delete a sender persona */ readonly delete: "agent.delete"
    /** Get a sender persona by its handle */ readonly get: "agent.get"
    /** List sender personas, newest first */ readonly list: "agent.list"
    /** Update a sender persona */ readonly update: "agent.update"
  }
  readonly workspace: {
    /** Get workspace counts and what needs attention */ readonly status: "workspace.status"
  }
  readonly events: {
    /** List the events of the organization, oldest first */ readonly list: "event.list"
  }
  readonly audit: {
    /** List audited runs and their outcome, newest first */ readonly list: "audit.list"
    /** Get the head of the audit chain, to keep elsewhere */ readonly head: "audit.head"
  }
  readonly agentRuns: {
    /** List what AI agents did, run by run */ readonly list: "agent-run.list"
    /** Undo what one key added and nobody else touched */ readonly undo: "agent-run.undo"
  }
  readonly approvals: {
    /** List approval requests, newest first */ readonly list: "approval.list"
    /** Get an approval request and its outcome */ readonly get: "approval.get"
    /** Approve and run, or reject, an approval request */ readonly resolve: "approval.resolve"
    /** Get a question for the user of an MCP client */ readonly askClient: "approval.ask-client"
    /** Record what the user of an MCP client answered */ readonly answer: "approval.answer"
  }
  readonly policies: {
    /** List which commands need approval or are denied */ readonly get: "policy.get"
    /** Allow, hold or deny commands by risk */ readonly set: "policy.set"
  }
  readonly keys: {
    /** List API keys, newest first */ readonly list: "key.list"
    /** Create an API key, shown only once */ readonly create: "key.create"
    /** Replace an API key's secret */ readonly rotate: "key.rotate"
    /** Revoke an API key immediately */ readonly revoke: "key.revoke"
  }
  readonly sessions: {
    readonly link: {
      /** Create a one-time link to the review page */ readonly create: "session.link.create"
    }
  }
  readonly webhooks: {
    /** List webhooks, newest first */ readonly list: "webhook.list"
    /** Get a webhook, without its secret */ readonly get: "webhook.get"
    /** Create a webhook */ readonly create: "webhook.create"
    /** Update a webhook's URL or event types, or pause it */ readonly update: "webhook.update"
    /** Delete a webhook and its deliveries */ readonly delete: "webhook.delete"
    /** Replace a webhook's signing secret */ readonly rotateSecret: "webhook.rotate-secret"
    /** Send a test event to a webhook */ readonly test: "webhook.test"
    /** List a webhook's deliveries, newest first */ readonly deliveries: "webhook.deliveries"
    /** Send a delivery's event again */ readonly redeliver: "webhook.redeliver"
  }
}
