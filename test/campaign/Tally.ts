/** What a campaign found. */

/** What must never happen. `failed` is an answer of 500 or more that nobody caused from outside. */
export type Finding = "lost" | "doubled" | "leaked" | "failed"

const maxShown = 20

/** Counts what was tried and what went wrong. The first findings are told on stderr. */
export class Tally {
  tried = 0
  /** Why nothing could be tried. */
  skipped: string | undefined
  private readonly counts = { lost: 0, doubled: 0, leaked: 0, failed: 0 }
  private shown = 0

  /** Notes something that must never happen. */
  add(finding: Finding, what: string): void {
    this.counts[finding]++
    if (this.shown++ < maxShown) process.stderr.write(`${finding}: ${what}\n`)
  }

  get isClean(): boolean {
    if (this.skipped !== undefined) return true
    return this.tried > 0 && Object.values(this.counts).every((count) => count === 0)
  }

  toString(): string {
    if (this.skipped !== undefined) return `skipped, ${this.skipped}`
    const { doubled, failed, leaked, lost } = this.counts
    return `tried ${this.tried}, lost ${lost}, doubled ${doubled}, leaked ${leaked}, 5xx ${failed}`
  }
}

/** What a campaign is told: how much to try, and the seed of its choices. */
export interface Extent {
  readonly count: number
  readonly seed: number
}

/** A campaign: counts into the tally. */
export type Campaign = (extent: Extent, tally: Tally) => Promise<void>

/** Waits. */
export const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

/** Those that `SVC_CAMPAIGN_SCENES` names, separated by commas; all unless it is set. */
export const scenesToRun = (all: ReadonlyArray<string>): ReadonlyArray<string> => {
  const named = process.env["SVC_CAMPAIGN_SCENES"]
  return named === undefined ? all : all.filter((name) => named.split(",").includes(name))
}
