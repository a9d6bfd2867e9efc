/** Figures of the process itself, under the names that dashboards know. */
import { monitorEventLoopDelay } from "node:perf_hooks"

/** A figure: its name, what it says, its kind, and its values by labels. */
export interface Gauge {
  readonly name: string
  readonly description: string
  readonly kind: "gauge" | "counter"
  readonly values: ReadonlyArray<{ readonly labels: Readonly<Record<string, string>>; readonly value: number }>
}

/** A figure with one value. */
export const single = (name: string, description: string, value: number, kind: Gauge["kind"] = "gauge"): Gauge => ({
  name,
  description,
  kind,
  values: [{ labels: {}, value }]
})

/** How often the event loop is looked at, in milliseconds: what it says is late by more than this is late. */
const resolution = 20

/** Reads the figures. The delay of the event loop is that since the last time it was read. */
export interface ProcessGauges {
  readonly read: () => ReadonlyArray<Gauge>
  readonly stop: () => void
}

/** Begins to watch the event loop. */
export const watchProcess = (): ProcessGauges => {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  const seconds = (nanos: number) => (Number.isFinite(nanos) ? Math.max(0, nanos / 1e9 - resolution / 1e3) : 0)
  return {
    stop: () => void delay.disable(),
    read: () => {
      const { arrayBuffers, external, heapTotal, heapUsed, rss } = process.memoryUsage()
      const { system, user } = process.cpuUsage()
      const looked = delay.count > 0
      const mean = looked ? seconds(delay.mean) : 0
      const late = looked ? seconds(delay.percentile(99)) : 0
      const longest = looked ? seconds(delay.max) : 0
      delay.reset()
      return [
        single("process_resident_memory_bytes", "Memory of the process", rss),
        single("nodejs_heap_size_total_bytes", "Heap that was taken", heapTotal),
        single("nodejs_heap_size_used_bytes", "Heap in use", heapUsed),
        single("nodejs_external_memory_bytes", "Memory outside of the heap", external + arrayBuffers),
        single("process_cpu_seconds_total", "Time on the processor", (system + user) / 1e6, "counter"),
        single("process_uptime_seconds", "How long the process has run", process.uptime()),
        single("nodejs_eventloop_lag_mean_seconds", "Mean delay of the event loop since the last look", mean),
        single("nodejs_eventloop_lag_p99_seconds", "99 of 100 delays were shorter", late),
        single("nodejs_eventloop_lag_max_seconds", "Longest delay since the last look", longest)
      ]
    }
  }
}
