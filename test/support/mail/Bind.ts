/** A throwaway name server with the records of a test, below the root: it knows nothing else, and asks nobody. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { freePort } from "../freePort.ts"
import { openFolder, startDaemon } from "./daemon.ts"

/** A running server on 127.0.0.1. `address` is what resolvers are told, with its port. */
export interface Bind {
  readonly address: string
  readonly stop: () => Promise<void>
}

/** A record: its name without the last point, its type, and its content; texts of TXT records without quotes. */
export type DnsRecord = readonly [name: string, type: "A" | "MX" | "TXT", content: string]

/** Texts of more than 255 characters are several strings of one record. */
const quoted = (text: string): string => (text.match(/.{1,200}/g) ?? []).map((part) => `"${part}"`).join(" ")

const zoneOf = (records: ReadonlyArray<DnsRecord>) => `$TTL 60
. IN SOA ns. admin. 1 60 60 60 60
. IN NS ns.
ns. IN A 127.0.0.1
${records.map(([name, type, content]) => `${name}. IN ${type} ${type === "TXT" ? quoted(content) : content}`).join("\n")}
`

const configOf = (folder: string, port: number) => `
options {
  directory "${folder}";
  listen-on port ${port} { 127.0.0.1; };
  listen-on-v6 { none; };
  pid-file "${folder}/pid";
  session-keyfile "${folder}/session.key";
  recursion no;
};
controls { };
zone "." { type master; file "root.zone"; };
`

/** Starts it. */
export const startBind = async (records: ReadonlyArray<DnsRecord>): Promise<Bind> => {
  const folder = await openFolder("bind")
  const port = await freePort()
  const config = join(folder.path, "named.conf")
  await writeFile(config, configOf(folder.path, port))
  await writeFile(join(folder.path, "root.zone"), zoneOf(records))
  const stop = await startDaemon("named", { args: ["-g", "-c", config, "-n", "1"], ports: [port], folder })
  return {
    address: `127.0.0.1:${port}`,
    stop
  }
}
