/** The results of `svc doctor`. */
/** One check. */
export interface Check {
  readonly name: string
  readonly state: "ok" | "warn" | "fail"
  readonly detail: string
}

/** A check that passed. */
export const ok = (name: string, detail: string): Check => ({ name, state: "ok", detail })

/** One that may be intended. */
export const warn = (name: string, detail: string): Check => ({ name, state: "warn", detail })

/** One that failed. */
export const failed = (name: string, detail: string): Check => ({ name, state: "fail", detail })
