/**
 * Effect's HTTP server for Node. Built, this module holds the server itself, so that installing it takes neither a client for
 * Redis nor one for HTTP: see bundle.js.
 */
export { make, makeHandler } from "@effect/platform-node/NodeHttpServer"
