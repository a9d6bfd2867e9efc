/** Which organization gets the next connection of a pool. Only decides: whoever asks waits by itself. */

/** The tenant of work that belongs to no organization. */
export const systemTenant = ""

/** In milliseconds: an organization that asked for a connection this recently keeps others within their share. */
export const presence = 10_000

interface Tenant {
  readonly name: string
  lent: number
  readonly waiting: Set<Turn>
}

/** A request for a connection. `onLent` is called when one that waits gets its connection. */
export interface Turn {
  readonly tenant: Tenant
  state: "waiting" | "lent" | "over"
  onLent: () => void
}

const never = { name: systemTenant, at: Number.NEGATIVE_INFINITY }

/**
 * Lends `size` connections: to the tenant that has the fewest, of several to the one whose turn ended longest ago. None has more than
 * `share` percent of them, but at least one, while another organization is there: it waits, or asked within the {@link presence}.
 */
export class FairQueue {
  /** How many connections are lent to nobody. */
  free: number
  /** The most that one tenant has unless it is alone. */
  readonly most: number
  readonly #now: () => number
  /** Those with connections or waiting turns, the one whose turn ended last at the end. */
  readonly #tenants = new Map<string, Tenant>()
  /** The last request of an organization, and that of another one before it. */
  #last = never
  #other = never

  constructor(size: number, share: number, now: () => number = () => performance.now()) {
    this.free = size
    this.most = Math.max(1, Math.floor((size * share) / 100))
    this.#now = now
  }

  /** Asks for a connection, which the turn has already if it is lent. */
  ask(name: string): Turn {
    if (name !== systemTenant) {
      if (name !== this.#last.name) this.#other = this.#last
      this.#last = { name, at: this.#now() }
    }
    const tenant = this.#tenants.get(name) ?? { name, lent: 0, waiting: new Set() }
    this.#tenants.set(name, tenant)
    const turn: Turn = { tenant, state: "waiting", onLent: () => {} }
    tenant.waiting.add(turn)
    this.#lend()
    return turn
  }

  /** Ends a turn, whether it has a connection or waits for one. */
  end(turn: Turn): void {
    const { state, tenant } = turn
    turn.state = "over"
    tenant.waiting.delete(turn)
    if (state === "lent") {
      tenant.lent--
      this.free++
    }
    this.#tenants.delete(tenant.name)
    if (tenant.lent > 0 || tenant.waiting.size > 0) this.#tenants.set(tenant.name, tenant)
    this.#lend()
  }

  #isAlone({ name }: Tenant): boolean {
    const { at } = name === this.#last.name ? this.#other : this.#last
    return this.#now() - at >= presence
  }

  /** Nobody waits at its limit without having a connection, so one that comes back lends the next. */
  #lend(): void {
    while (this.free > 0) {
      let next: Tenant | undefined
      for (const tenant of this.#tenants.values()) {
        if (tenant.waiting.size === 0 || (next !== undefined && tenant.lent >= next.lent)) continue
        if (tenant.lent < this.most || this.#isAlone(tenant)) next = tenant
      }
      const [turn] = next?.waiting ?? []
      if (turn === undefined) return
      turn.tenant.waiting.delete(turn)
      turn.tenant.lent++
      this.free--
      turn.state = "lent"
      turn.onLent()
    }
  }
}
