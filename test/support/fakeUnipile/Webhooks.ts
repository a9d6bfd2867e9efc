/** The fake's webhooks: unsigned, with the headers that were asked for, and as unreliable as the test wants them. */
import { request } from "node:http"

/** A webhook as it was registered. */
export interface Registration {
  readonly id: string
  readonly url: string
  readonly source: string
  readonly headers: ReadonlyArray<{ readonly key: string; readonly value: string }>
}

/** How badly they are delivered. Every n-th event, counted from the first; 0 or undefined: none. */
export interface Unreliability {
  readonly loseEvery?: number
  readonly duplicateEvery?: number
  /** Holds this many events back and then delivers them in the opposite order; {@link Webhooks.flush} ends the wait. */
  readonly reverseBatch?: number
  /** Milliseconds (real ones) before the first of five repetitions; each waits twice as long. */
  readonly retryAfter?: number
}

/** A delivery as it went out; `status` 0 where nobody answered. */
export interface Delivered {
  readonly url: string
  readonly body: string
  readonly status: number
}

const retries = 5
const patience = 30_000

const post = (registration: Registration, body: string): Promise<number> =>
  new Promise((resolve) => {
    const headers: Record<string, string> = { "content-length": String(Buffer.byteLength(body)), connection: "close" }
    for (const { key, value } of registration.headers) headers[key] = value
    const call = request(registration.url, { method: "POST", headers, timeout: patience }, (answer) => {
      answer.resume()
      answer.on("end", () => resolve(answer.statusCode ?? 0))
      answer.on("error", () => resolve(0))
    })
    call.on("timeout", () => call.destroy())
    call.on("error", () => resolve(0))
    call.end(body)
  })

/** Sends webhooks. */
export class Webhooks {
  readonly registrations: Array<Registration> = []
  readonly delivered: Array<Delivered> = []
  unreliability: Unreliability = {}
  private count = 0
  private isClosed = false
  private readonly held: Array<readonly [Registration, string]> = []
  private readonly running = new Set<Promise<void>>()

  /** Tells an event to everybody who asked for its source. */
  emit(source: string, payload: unknown): void {
    const body = JSON.stringify(payload)
    const { loseEvery = 0, duplicateEvery = 0, reverseBatch = 0 } = this.unreliability
    for (const registration of this.registrations.filter((one) => one.source === source)) {
      this.count += 1
      if (loseEvery > 0 && this.count % loseEvery === 0) continue
      const copies = duplicateEvery > 0 && this.count % duplicateEvery === 0 ? 2 : 1
      for (let copy = 0; copy < copies; copy++) {
        if (reverseBatch > 0) this.held.push([registration, body])
        else this.start(registration, body)
      }
    }
    if (reverseBatch > 0 && this.held.length >= reverseBatch) this.release()
  }

  /** Delivers what is held back and waits until everything was delivered or given up. */
  async flush(): Promise<void> {
    this.release()
    while (this.running.size > 0) await Promise.all(this.running)
  }

  /** Stops all repetitions. */
  close(): void {
    this.isClosed = true
  }

  private release(): void {
    for (const [registration, body] of this.held.splice(0).reverse()) this.start(registration, body)
  }

  private start(registration: Registration, body: string): void {
    const running = this.deliver(registration, body).finally(() => this.running.delete(running))
    this.running.add(running)
  }

  private async deliver(registration: Registration, body: string): Promise<void> {
    let wait = this.unreliability.retryAfter ?? 1_000
    for (let attempt = 0; attempt <= retries && !this.isClosed; attempt++) {
      const status = await post(registration, body)
      this.delivered.push({ url: registration.url, body, status })
      if (status === 200) return
      await new Promise((resolve) => setTimeout(resolve, wait))
      wait *= 2
    }
  }
}
