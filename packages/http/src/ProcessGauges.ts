/** Metrics of the process, under the usual Prometheus names. */
import { monitorEventLoopDelay } from "node:perf_hooks"

/** A metric and its values. */
export interface Gauge {
  readonly name: string
  readonly description: string
  readonly kind: "gauge" | "counter"
  readonly values: ReadonlyArray<{ readonly labels: Readonly<Record<string, string>>; readonly value: number }>
}

/** A metric with one value. */
export const single = (name: string, description: string, value: number, kind: Gauge["kind"] = "gauge"): Gauge => ({
  name,
  description,
  kind,
  values: [{ labels: {}, value }]
})

/** Sampling interval of the event loop, in milliseconds. Measured delays include it. */
const resolution = 20

/** Reads the metrics. Event loop delays are those since the last read. */
interface ProcessGauges {
  readonly read: () => ReadonlyArray<Gauge>
  readonly stop: () => void
}

/** Starts watching the event loop. */
export const watchProcess = (): ProcessGauges => {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  const seconds = (nanos: number) => (Number.isFinite(nanos) ? Math.max(0, nanos / 1e9 - resolution / 1e3) : 0)
  return {
    stop: () => void delay.disable(),
    read: () => {
      const { arrayBuffers, external, heapTotal, heapUsed, rss } = process.memoryUsage()
      const { system, user } = process.cpuUsage()
      const hasSamples = delay.count > 0
      const mean = hasSamples ? seconds(delay.mean) : 0
      const p99 = hasSamples ? seconds(delay.percentile(99)) : 0
      const max = hasSamples ? seconds(delay.max) : 0
      delay.reset()
      return [
        single("process_resident_memory_bytes", "Resident memory of the process", rss),
        single("nodejs_heap_size_total_bytes", "Heap allocated", heapTotal),
        single("nodejs_heap_size_used_bytes", "Heap used", heapUsed),
        single("nodejs_external_memory_bytes", "Memory outside the heap", external + arrayBuffers),
        single("process_cpu_seconds_total", "CPU time", (system + user) / 1e6, "counter"),
        single("process_uptime_seconds", "Uptime of the process", process.uptime()),
        single("nodejs_eventloop_lag_mean_seconds", "Mean event loop delay since the last scrape", mean),
        single("nodejs_eventloop_lag_p99_seconds", "99th percentile of the event loop delay", p99),
        single("nodejs_eventloop_lag_max_seconds", "Maximum event loop delay since the last scrape", max)
      ]
    }
  }
}
