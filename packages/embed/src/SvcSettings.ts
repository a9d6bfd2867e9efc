/** Made of the table in Settings.ts: npm test -- architecture/settings --update. */

/** Settings of an embedded service, by name. Secrets and URLs are texts. */
export interface SvcSettings {
  /**
   * @deprecated Use the option `database`. Database: postgres://…, pglite:FOLDER or memory:; default
   * pglite:./.svc/data. Variable: SVC_DATABASE_URL.
   */
  readonly databaseUrl?: string | undefined
  /**
   * Networks of proxies whose X-Forwarded-For names the client: 10.0.0.0/8, 2001:db8::/32; without it, the
   * connection does. Variable: SVC_TRUSTED_PROXIES.
   */
  readonly trustedProxies?: string | undefined
  /** @deprecated Use the option `publicUrl`. Public URL, used in links and Location. Variable: SVC_PUBLIC_URL. */
  readonly publicUrl?: string | undefined
  /**
   * URL of your identity provider (OpenID Connect), with which people sign in to the review page and connect AI
   * agents. Variable: SVC_OIDC_ISSUER.
   */
  readonly oidcIssuer?: string | undefined
  /**
   * Client id at the identity provider; its redirect URI is the public URL followed by /review/provider/callback.
   * Variable: SVC_OIDC_CLIENT_ID.
   */
  readonly oidcClientId?: string | undefined
  /** Client secret at the identity provider. Variable: SVC_OIDC_CLIENT_SECRET. */
  readonly oidcClientSecret?: string | undefined
  /** Scopes to ask the identity provider for; default openid profile email. Variable: SVC_OIDC_SCOPE. */
  readonly oidcScope?: string | undefined
  /**
   * Who may do what: groups=sales ORGANIZATION approver; groups=admins ORGANIZATION full (claim=value, id, scopes).
   * Variable: SVC_OIDC_RIGHTS.
   */
  readonly oidcRights?: string | undefined
  /**
   * Key that encrypts secrets in the database, the same on every machine: 32 bytes in Base64 (openssl rand -base64
   * 32); to replace it: NEW,OLD. Variable: SVC_DEPLOYMENT_KEY.
   */
  readonly deploymentKeys?: string | undefined
  /**
   * @deprecated Use the option `gateway`. How messages are sent: simulator, manual (by people), unipile or http (a
   * bridge); default manual for svc serve and svc worker, else simulator. Variable: SVC_LINKEDIN_GATEWAY.
   */
  readonly linkedinGateway?: "simulator" | "manual" | "unipile" | "http" | undefined
  /** Host or URL of the provider's API. Variable: SVC_UNIPILE_DSN. */
  readonly unipileDsn?: string | undefined
  /** API key of the provider. Variable: SVC_UNIPILE_API_KEY. */
  readonly unipileApiKey?: string | undefined
  /** Secret of the provider's webhooks. Variable: SVC_UNIPILE_WEBHOOK_SECRET. */
  readonly unipileWebhookSecret?: string | undefined
  /** URL of the HTTP bridge. Variable: SVC_LINKEDIN_BRIDGE_URL. */
  readonly bridgeUrl?: string | undefined
  /** Secret that signs requests to and from the HTTP bridge. Variable: SVC_LINKEDIN_BRIDGE_SECRET. */
  readonly bridgeSecret?: string | undefined
  /**
   * Seconds during which an approval can be undone before its message is sent; default 10. Variable:
   * SVC_SEND_HOLD_SECONDS.
   */
  readonly sendHoldSeconds?: number | undefined
  /**
   * Seconds without any process after which sending is held until svc sending release; 0 for never; default 86400.
   * Variable: SVC_HEARTBEAT_GAP_SECONDS.
   */
  readonly heartbeatGapSeconds?: number | undefined
  /**
   * What sending does when the database failed over to a standby: resume after reading conversations, or hold until
   * svc sending release; default resume. Variable: SVC_ON_FAILOVER.
   */
  readonly onFailover?: "resume" | "hold" | undefined
  /**
   * Whether usage limits, ramp-up, pauses and working hours apply: on or off; default on. Variable:
   * SVC_LINKEDIN_PACING.
   */
  readonly linkedinPacing?: "on" | "off" | undefined
  /**
   * @deprecated Use the option `mcpActorKind`. Who calls over MCP: an AI agent whatever its key says (AI_AGENT), or
   * the actor kind of the key (key); default AI_AGENT. Variable: SVC_MCP_ACTOR_KIND.
   */
  readonly mcpActorKind?: "AI_AGENT" | "key" | undefined
  /**
   * Whether SVC_LINKEDIN_PACING=off is allowed with a real provider: yes or no; default no. Variable:
   * SVC_ALLOW_UNPACED.
   */
  readonly allowUnpaced?: "yes" | "no" | undefined
  /** Seconds until a simulated person accepts an invitation; default 30. Variable: SVC_SIMULATOR_ACCEPT_SECONDS. */
  readonly simulatorAcceptSeconds?: number | undefined
  /**
   * @deprecated Use the option `rateLimit`. Requests per minute and key; 0 for no limit; default 300. Variable:
   * SVC_RATE_LIMIT.
   */
  readonly rateLimit?: number | undefined
  /** Redis for shared rate limits: rediss://USER:PASSWORD@HOST:6379/0. Variable: SVC_REDIS_URL. */
  readonly redis?: string | undefined
  /** @deprecated Use the option `database.pool`. PostgreSQL connections; default 16. Variable: SVC_DB_POOL. */
  readonly dbPool?: number | undefined
  /**
   * Percent of the connections that one organization may use while others need some; 100 for no limit; default 25.
   * Variable: SVC_DB_SHARE.
   */
  readonly dbShare?: number | undefined
  /**
   * Seconds that a statement may take on PostgreSQL; without a response, a request fails 2 s later; default 10.
   * Variable: SVC_STATEMENT_TIMEOUT_SECONDS.
   */
  readonly statementTimeoutSeconds?: number | undefined
  /**
   * Seconds that a statement of a search may take on PostgreSQL, if SVC_STATEMENT_TIMEOUT_SECONDS is not less;
   * default 5. Variable: SVC_SEARCH_TIMEOUT_SECONDS.
   */
  readonly searchTimeoutSeconds?: number | undefined
  /** Concurrent jobs; default 4. Variable: SVC_WORKERS. */
  readonly workers?: number | undefined
  /**
   * Days to keep results of requests with an Idempotency-Key; 0 keeps them forever; default 7. Variable:
   * SVC_RETAIN_IDEMPOTENCY_DAYS.
   */
  readonly retainIdempotencyDays?: number | undefined
  /**
   * Days to keep finished deliveries of webhooks; 0 keeps them forever; default 30. Variable:
   * SVC_RETAIN_DELIVERIES_DAYS.
   */
  readonly retainDeliveriesDays?: number | undefined
  /**
   * Days to keep events, which mission.stats and histories of leads are read from; 0 keeps them forever; default 0.
   * Variable: SVC_RETAIN_EVENTS_DAYS.
   */
  readonly retainEventsDays?: number | undefined
  /**
   * Days to keep rows of imports; without them one cannot be undone; 0 keeps them forever; default 180. Variable:
   * SVC_RETAIN_IMPORT_ROWS_DAYS.
   */
  readonly retainImportRowsDays?: number | undefined
  /**
   * Days to keep sealed audit rows, deleted in whole days; svc audit verify then starts after the last deleted one;
   * 0 keeps them forever; default 0. Variable: SVC_RETAIN_AUDIT_DAYS.
   */
  readonly retainAuditDays?: number | undefined
  /**
   * Whether webhooks may use private network addresses: true or false; by default only svc dev may use its own
   * machine. Variable: SVC_ALLOW_PRIVATE_TARGETS.
   */
  readonly allowPrivateTargets?: boolean | undefined
  /** SMTP server: smtps://USER:PASSWORD@HOST:465 or smtp://USER:PASSWORD@HOST:587. Variable: SVC_SMTP_URL. */
  readonly smtp?: string | undefined
  /**
   * Selector of the DKIM key: its public part is published at SELECTOR._domainkey of each sending domain; default
   * svc. Variable: SVC_DKIM_SELECTOR.
   */
  readonly dkimSelector?: string | undefined
  /** Private key (PEM) that emails are signed with where no mail server does it. Variable: SVC_DKIM_KEY. */
  readonly dkimKey?: string | undefined
  /** Email address that notices to approvers come from; without it, none are sent. Variable: SVC_NOTICE_FROM. */
  readonly noticeFrom?: string | undefined
  /** Log level: trace, debug, info, warn, error, none; default info. Variable: SVC_LOG_LEVEL. */
  readonly logLevel?: "trace" | "debug" | "info" | "warn" | "error" | "none" | undefined
  /** Log format: json or pretty; default pretty on a terminal, else json. Variable: SVC_LOG_FORMAT. */
  readonly logFormat?: "json" | "pretty" | undefined
  /** OTLP endpoint for traces and metrics: http://HOST:4318, or with USER:PASSWORD@. Variable: SVC_OTLP_URL. */
  readonly otlp?: string | undefined
}
