/**
 * What a delivery report says became of an e-mail, and what follows: by the words of the reporting server, and where they say
 * nothing by its status code (RFC 3463), since many servers use the codes of others.
 */

/**
 * Kinds of bounces. `hard`: there is no such mailbox or domain. `full`: the mailbox has no room. `policy`: the text or the sender
 * was refused. `soft`: anything else that may pass.
 */
export type BounceKind = "hard" | "full" | "policy" | "soft"

/** What follows from a bounce. */
interface Consequence {
  /** Whether nothing is ever sent to the address again. */
  readonly suppresses: boolean
  /** Days until the e-mail is sent again, for each time that it may be; none gives it up at once. */
  readonly retryDays: ReadonlyArray<number>
}

/** The table of consequences. */
export const bounceConsequences: Readonly<Record<BounceKind, Consequence>> = {
  hard: { suppresses: true, retryDays: [] },
  full: { suppresses: false, retryDays: [3, 7] },
  policy: { suppresses: false, retryDays: [] },
  soft: { suppresses: false, retryDays: [1, 3] }
}

/** Words by which servers say what kind of bounce it is, those first that decide over the others. */
const phrases: ReadonlyArray<readonly [BounceKind, RegExp]> = [
  ["policy", /\b5\.1\.[78]\b|sender(?:'s)? (?:address|domain)|domain of sender|from address/i],
  [
    "soft",
    /receiving mail at a rate|too many (?:connections|messages)|greylist|gray.?list|try again later|in the queue too long/i
  ],
  [
    "full",
    /(?:mailbox|account|inbox|recipient|user|quota|maildir|storage|disk)[^.\n]{0,60}(?:\bfull\b|exceed|over(?:\s*quota|drawn)|too large)|over\s?quota|quota (?:exceeded|violation)|exceed\w{0,8}[^.\n]{0,30}(?:quota|storage|mailbox)|insufficient (?:disk|storage)|\bis full\b|mailfolder is full/i
  ],
  [
    "hard",
    /(?:user|recipient|mailbox|account|address|e-?mail|person|subscriber|local.?part|alias|destinataire|usuario|benutzer)\w{0,20}[^\n]{0,80}?(?:unknown|not? (?:found|exist|known|valid|listed|a (?:known|valid))|does(?:n.t| not) exist|no longer|(?:was|is|has been) (?:disabled|discontinued|closed|deleted|removed|inactive|expired|terminated|unavailable)|invalid|not (?:active|local|have an account|recogni[sz]ed)|undeliverable|inconnu|desconocido|unbekannt)/i
  ],
  [
    "hard",
    /(?:unknown|no such|invalid|bad|non.?existent|nonexistent|not a valid|unrouteable|no)[\s:-]{1,3}(?:\w{1,30}[\s-]){0,2}(?:user|recipient|mailbox|account|address|person|host|domain|local.?part|destination|alias|name)/i
  ],
  [
    "hard",
    /address rejected(?=\.|\s*$|\s<?[^:\s]+@|:\s*(?:access denied|undeliverable|user|no such|invalid|[\w-]+\.\w+\s))|check (?:if|that|whether) (?:the )?address is correct|account that you tried to reach|(?:doesn.t|does not) (?:have|accept|receive) (?:an? |e-?)?[\w. -]{0,40}(?:account|mail)|mailbox unavailable|5\d\d <?[^ ]+@[^ ]+ rejected|host (?:or domain name )?not found|(?:host|domain)[^\n]{0,60}(?:not found|unknown|does(?:n.t| not) exist|not exist)|nxdomain|no mx|null ?mx|name or service not known|domain (?:has|does) (?:no|not)|unrout(?:e)?able|user not found|illegal host|cannot find (?:the )?(?:host|domain)|domain is not reachable|no smtp service|not accept(?:ing)? (?:network )?(?:mail|messages)|has moved|please use the new|ディレクトリのリストにありません|メールアドレスが存在しない|見つかりません/i
  ],
  [
    "policy",
    /spam|\bblock(?:ed|list)|black.?list|blocklist|reputation|\brbl\b|dnsbl|polic(?:y|ies)|spf|dkim|dmarc|denied|not (?:allowed|permitted|authori[sz]ed|accept)|rejected|refus|prohibit|reject|virus|content|too (?:big|large|many)|size|authenticat|\brelay(?:ing)?\b(?!\.\w)/i
  ]
]

/** Status codes, without their class, that say what the words did not. */
const codes: ReadonlyArray<readonly [BounceKind, RegExp]> = [
  ["full", /^[45]\.2\.2$/],
  ["hard", /^5\.1\.(?:[0-46]|10)$|^5\.2\.1$|^5\.4\.4$/],
  ["policy", /^5\.(?:[67]\.\d+|2\.3|3\.4)$/]
]

const matching = (table: ReadonlyArray<readonly [BounceKind, RegExp]>, text: string): BounceKind | undefined =>
  table.find(([, pattern]) => pattern.test(text))?.[0]

/** The kind of a failure by its words and code. */
export const bounceKindOf = (diagnostic: string, status: string): BounceKind =>
  matching(phrases, diagnostic.slice(0, 2_000)) ?? matching(codes, status) ?? "soft"
