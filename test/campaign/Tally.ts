/** What a campaign found. */

/** What must never happen. `failed` is an answer of 500 or more that nobody caused from outside. */
export type Finding = "lost" | "doubled" | "leaked" | "failed"

const maxShown = 20

/** Counts what was tried, what of interest that hit, and what went wrong. The first findings are told on stderr. */
export class Tally {
  tried = 0
  /** Why nothing could be tried. */
  skipped: string | undefined
  private readonly counts = { lost: 0, doubled: 0, leaked: 0, failed: 0 }
  private readonly hits = new Map<string, number>()
  private readonly least = new Map<string, number>()
  private shown = 0

  /** Notes that a try was of a kind, or met what it was meant to meet. */
  hit(kind: string, count = 1): void {
    this.hits.set(kind, (this.hits.get(kind) ?? 0) + count)
  }

  /** The campaign proves nothing with fewer hits of a kind than these: it then fails. */
  atLeast(kind: string, count: number): void {
    this.least.set(kind, count)
    this.hit(kind, 0)
  }

  /** Notes something that must never happen. */
  add(finding: Finding, what: string): void {
    this.counts[finding]++
    if (this.shown++ < maxShown) process.stderr.write(`${finding}: ${what}\n`)
  }

  get isClean(): boolean {
    if (this.skipped !== undefined) return true
    if (this.tooFew.length > 0) return false
    return this.tried > 0 && Object.values(this.counts).every((count) => count === 0)
  }

  private get tooFew(): ReadonlyArray<string> {
    return [...this.least].flatMap(([kind, count]) =>
      (this.hits.get(kind) ?? 0) < count ? [`too few ${kind}, at least ${count} are needed`] : []
    )
  }

  toString(): string {
    if (this.skipped !== undefined) return `skipped, ${this.skipped}`
    const { doubled, failed, leaked, lost } = this.counts
    const hits = [...this.hits].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => `${kind} ${count}`)
    const found = `tried ${this.tried}, lost ${lost}, doubled ${doubled}, leaked ${leaked}, 5xx ${failed}`
    return [found, ...(hits.length > 0 ? [`hit ${hits.join(", ")}`] : []), ...this.tooFew].join("; ")
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
