/** Made of the table in Settings.ts: npm test -- architecture/settings --update. */

/** Settings of an embedded service, by name. Secrets and URLs are texts. */
export interface SvcSettings {
  /** Database: postgres://…, pglite:FOLDER or memory:; default pglite:./.svc/data. Variable: SVC_DATABASE_URL. */
  readonly databaseUrl?: string
  /** Public URL, used in links and Location. Variable: SVC_PUBLIC_URL. */
  readonly publicUrl?: string
  /**
   * URL of your identity provider (OpenID Connect), with which people sign in to the review page and connect AI
   * agents. Variable: SVC_OIDC_ISSUER.
   */
  readonly oidcIssuer?: string
  /**
   * Client id at the identity provider; its redirect URI is the public URL followed by /review/provider/callback.
   * Variable: SVC_OIDC_CLIENT_ID.
   */
  readonly oidcClientId?: string
  /** Client secret at the identity provider. Variable: SVC_OIDC_CLIENT_SECRET. */
  readonly oidcClientSecret?: string
  /** Scopes to ask the identity provider for; default openid profile email. Variable: SVC_OIDC_SCOPE. */
  readonly oidcScope?: string
  /**
   * Who may do what: groups=sales ORGANIZATION approver; groups=admins ORGANIZATION full (claim=value, id, scopes);
   * default . Variable: SVC_OIDC_RIGHTS.
   */
  readonly oidcRights?: string
  /**
   * Key that encrypts secrets in the database, 32 bytes in Base64 (openssl rand -base64 32); to replace it: NEW,OLD.
   * Variable: SVC_DEPLOYMENT_KEY.
   */
  readonly deploymentKeys?: string
  /**
   * How messages are sent: simulator, manual (by people), unipile or http (a bridge). Variable:
   * SVC_LINKEDIN_GATEWAY.
   */
  readonly linkedinGateway?: "simulator" | "manual" | "unipile" | "http"
  /** Host or URL of the provider's API. Variable: SVC_UNIPILE_DSN. */
  readonly unipileDsn?: string
  /** API key of the provider. Variable: SVC_UNIPILE_API_KEY. */
  readonly unipileApiKey?: string
  /** Secret of the provider's webhooks. Variable: SVC_UNIPILE_WEBHOOK_SECRET. */
  readonly unipileWebhookSecret?: string
  /** URL of the HTTP bridge. Variable: SVC_LINKEDIN_BRIDGE_URL. */
  readonly bridgeUrl?: string
  /** Secret that signs requests to and from the HTTP bridge. Variable: SVC_LINKEDIN_BRIDGE_SECRET. */
  readonly bridgeSecret?: string
  /**
   * Seconds during which an approval can be undone before its message is sent; default 10. Variable:
   * SVC_SEND_HOLD_SECONDS.
   */
  readonly sendHoldSeconds?: number
  /**
   * Seconds without any process after which sending is held until svc sending release; 0 for never; default 86400.
   * Variable: SVC_HEARTBEAT_GAP_SECONDS.
   */
  readonly heartbeatGapSeconds?: number
  /** Whether usage limits, ramp-up, pauses and working hours apply; default on. Variable: SVC_LINKEDIN_PACING. */
  readonly linkedinPacing?: "on" | "off"
  /**
   * Who calls over MCP: an AI agent whatever its key says, or the actor kind of the key; default AI_AGENT. Variable:
   * SVC_MCP_ACTOR_KIND.
   */
  readonly mcpActorKind?: "AI_AGENT" | "key"
  /** Whether SVC_LINKEDIN_PACING=off is allowed with a real provider; default no. Variable: SVC_ALLOW_UNPACED. */
  readonly allowUnpaced?: "yes" | "no"
  /** Seconds until a simulated person accepts an invitation; default 30. Variable: SVC_SIMULATOR_ACCEPT_SECONDS. */
  readonly simulatorAcceptSeconds?: number
  /** Requests per minute and key; 0 for no limit; default 300. Variable: SVC_RATE_LIMIT. */
  readonly rateLimit?: number
  /** Redis for shared rate limits: rediss://USER:PASSWORD@HOST:6379/0. Variable: SVC_REDIS_URL. */
  readonly redis?: string
  /** PostgreSQL connections; default 16. Variable: SVC_DB_POOL. */
  readonly dbPool?: number
  /** Concurrent jobs; default 4. Variable: SVC_WORKERS. */
  readonly workers?: number
  /**
   * Days to keep results of requests with an Idempotency-Key; 0 for ever; default 7. Variable:
   * SVC_RETAIN_IDEMPOTENCY_DAYS.
   */
  readonly retainIdempotencyDays?: number
  /** Days to keep finished deliveries of webhooks; 0 for ever; default 30. Variable: SVC_RETAIN_DELIVERIES_DAYS. */
  readonly retainDeliveriesDays?: number
  /**
   * Days to keep events, which mission.stats and histories of leads are read from; 0 for ever; default 0. Variable:
   * SVC_RETAIN_EVENTS_DAYS.
   */
  readonly retainEventsDays?: number
  /**
   * Days to keep rows of imports; without them one cannot be undone; 0 for ever; default 180. Variable:
   * SVC_RETAIN_IMPORT_ROWS_DAYS.
   */
  readonly retainImportRowsDays?: number
  /**
   * Days to keep sealed audit rows, deleted in whole days; svc audit verify then starts after the last deleted one;
   * 0 for ever; default 0. Variable: SVC_RETAIN_AUDIT_DAYS.
   */
  readonly retainAuditDays?: number
  /**
   * Whether webhooks may use private network addresses: true or false; by default only svc dev may use its own
   * machine. Variable: SVC_ALLOW_PRIVATE_TARGETS.
   */
  readonly allowPrivateTargets?: boolean
  /** SMTP server: smtps://USER:PASSWORD@HOST:465 or smtp://USER:PASSWORD@HOST:587. Variable: SVC_SMTP_URL. */
  readonly smtp?: string
  /** Email address that notices to approvers come from; without it, none are sent. Variable: SVC_NOTICE_FROM. */
  readonly noticeFrom?: string
  /** Log level; default info. Variable: SVC_LOG_LEVEL. */
  readonly logLevel?: "trace" | "debug" | "info" | "warn" | "error" | "none"
  /** Log format; default pretty on a terminal. Variable: SVC_LOG_FORMAT. */
  readonly logFormat?: "json" | "pretty"
  /** OTLP endpoint for traces and metrics: http://HOST:4318, or with USER:PASSWORD@. Variable: SVC_OTLP_URL. */
  readonly otlp?: string
}
