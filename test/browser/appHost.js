/** What a client does: shows an app in a sandbox, and answers what it asks. */
const seen = []
const answers = {
  "ui/initialize": () => ({
    protocolVersion: "2026-01-26",
    hostInfo: {},
    hostCapabilities: {},
    hostContext: { theme: "light", styles: { variables: { "--color-text-primary": "rgb(1, 2, 3)", color: "red" } } }
  }),
  "tools/call": (params) => globalThis.callTool(params)
}
const show = (html, toolResult) => {
  const frame = document.createElement("iframe")
  frame.setAttribute("sandbox", "allow-scripts")
  frame.srcdoc = html
  addEventListener("message", async ({ data, source }) => {
    if (source !== frame.contentWindow) return
    seen.push(data)
    const send = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*")
    const { id, method, params } = data
    if (id !== undefined && method !== undefined) send({ id, result: (await answers[method]?.(params)) ?? {} })
    if (method !== "ui/notifications/initialized") return
    send({ method: "ui/notifications/tool-input", params: { arguments: {} } })
    send({ method: "ui/notifications/tool-result", params: toolResult })
  })
  document.body.append(frame)
}
// Another frame of the client pretends to be it.
const intrude = (message) =>
  new Promise((resolve) => {
    const other = document.createElement("iframe")
    other.setAttribute("sandbox", "allow-scripts")
    const script = `parent.frames[0].postMessage(${JSON.stringify(message)}, "*"); parent.postMessage("done", "*")`
    other.srcdoc = `<script>${script}</script>`
    addEventListener("message", ({ data }) => data === "done" && resolve())
    document.body.append(other)
  })

Object.assign(globalThis, { seen, show, intrude })
