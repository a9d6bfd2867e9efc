/** Serves the suite's fixtures on the port of the first argument, 4799 by default, until interrupted. */
import { startSuiteServer } from "./suiteServer.ts"

const { close, url } = await startSuiteServer(Number(process.argv[2] ?? 4799))
process.stdout.write(
  `Serving at ${url}. In another terminal:\n\n  npx @modelcontextprotocol/conformance server --url ${url}\n\n`
)
process.once("SIGINT", () => void close().then(() => process.exit(0)))
