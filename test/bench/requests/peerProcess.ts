/** The peer as a process of its own: prints its URL as JSON when it listens, and ends on SIGTERM. */
import { readFileSync } from "node:fs"
import { connect } from "../peer/database.ts"
import { makeServer } from "../peer/server.ts"

const { PEER_CATALOGUE = "", PEER_DATABASE_URL = "", PEER_POOL = "8" } = process.env
const query = await connect(PEER_DATABASE_URL, Number(PEER_POOL))
const app = makeServer(query, readFileSync(PEER_CATALOGUE, "utf8"))
const url = await app.listen({ host: "127.0.0.1", port: 0 })
process.once("SIGTERM", () => process.exit(0))
process.stdout.write(`${JSON.stringify({ event: "ready", url })}\n`)
