/** What the fake does with a request beyond the ordinary: whether it carries it out, and how it answers. */

/** What is being done when a script applies. */
export type Action = "message" | "invite" | "withdraw" | "profile" | "chats" | "search" | "messages" | "relations"

/** How the fake answers, apart from the ordinary. */
export type ScriptedAnswer =
  | "ordinary"
  /** The ordinary answer with every id null. */
  | "null_ids"
  /** Closes the connection without a word. */
  | "drop"
  /** Sends the head and half of the body, then closes the connection. */
  | "cut"
  /** Never answers. */
  | "stall"
  /** Sends the head, then a byte now and then, for ever. */
  | "drip"
  | {
      readonly status: number
      readonly type?: string
      readonly title?: string
      readonly headers?: Readonly<Record<string, string>>
      /** A body as it is; without one, an error of that type in the provider's form. */
      readonly body?: string
      /** The body again and again until it has this many bytes. */
      readonly bytes?: number
    }

/** One departure from the ordinary. `times` counts down; without it, it stays. */
export interface Script {
  readonly action: Action
  /** A person's slug; undefined for everybody. */
  readonly slug?: string
  /** Whether the request is carried out, as if all were well; then the answer. */
  readonly accept: boolean
  readonly answer: ScriptedAnswer
  /** Milliseconds (real ones) before anything is done. */
  readonly delay?: number
  readonly times?: number
}

const error = (status: number, type: string) => ({ status, type })

/** Departures that a slug's ending asks for, as for the simulated gateway, so that demonstrations need no script. */
const endings: ReadonlyArray<readonly [ending: string, script: Omit<Script, "slug">]> = [
  ["-blocked", { action: "message", accept: false, answer: error(422, "errors/blocked_recipient") }],
  ["-blocked", { action: "invite", accept: false, answer: error(422, "errors/cannot_invite_attendee") }],
  ["-down", { action: "message", accept: false, answer: error(503, "errors/service_unavailable") }],
  ["-down", { action: "invite", accept: false, answer: error(503, "errors/service_unavailable") }],
  ["-slow", { action: "message", accept: true, answer: "ordinary", delay: 2_000 }],
  ["-unknown", { action: "message", accept: true, answer: "drop" }],
  ["-unknown", { action: "invite", accept: true, answer: "drop" }],
  ["-500", { action: "message", accept: true, answer: error(500, "errors/provider_error") }],
  ["-null", { action: "message", accept: true, answer: "null_ids" }]
]

/** The scripts in force. */
export class Scripts {
  private readonly list: Array<{ readonly script: Script; left: number }> = []

  /** The latest script for a case goes before older ones. */
  add(script: Script): void {
    this.list.unshift({ script, left: script.times ?? Number.POSITIVE_INFINITY })
  }

  clear(): void {
    this.list.length = 0
  }

  /** The script for a request, which is used up by one. */
  take(action: Action, slug: string | undefined): Script | undefined {
    const found = this.list.find(
      ({ script, left }) => left > 0 && script.action === action && (script.slug === undefined || script.slug === slug)
    )
    if (found !== undefined) {
      found.left -= 1
      return found.script
    }
    return endings.find(([ending, script]) => script.action === action && slug?.endsWith(ending) === true)?.[1]
  }
}
