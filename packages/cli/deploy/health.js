// Whether the process of this container is ready: exit code 0 or 1. A worker needs SVC_ADMIN_PORT for this.
const port = process.env.SVC_ADMIN_PORT || process.env.SVC_PORT || "4700"
fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4_000) }).then(
  ({ ok }) => process.exit(ok ? 0 : 1),
  () => process.exit(1)
)
