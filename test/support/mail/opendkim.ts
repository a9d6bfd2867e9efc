/** Signatures as OpenDKIM verifies them, with a file of keys instead of the DNS. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { openFolder, ran, succeeded } from "./daemon.ts"

/** The key of a selector's domain, as its TXT record has it. */
export interface PublishedKey {
  readonly selector: string
  readonly domain: string
  readonly record: string
}

/** Whether a message is signed, and OpenDKIM finds its signature good. */
export const isSignedWell = async (
  message: Uint8Array,
  { domain, record, selector }: PublishedKey
): Promise<boolean> => {
  const folder = await openFolder("opendkim")
  try {
    const [config, keys, file] = ["conf", "keys", "message"].map((name) => join(folder.path, name)) as [
      string,
      string,
      string
    ]
    await writeFile(keys, `${selector}._domainkey.${domain} ${record}\n`)
    await writeFile(config, `Mode v\nSyslog no\nTestPublicKeys ${keys}\n`)
    await writeFile(file, message)
    const { output } = await ran("opendkim", ["-x", config, "-vvv", "-t", file])
    return /verification \(s=[^)]*\) succeeded/.test(output)
  } finally {
    await folder.remove()
  }
}

/** A mail that OpenDKIM signs, as a relay would. */
export const signedByOpendkim = async (message: string, privateKeyFile: string, { domain, selector }: PublishedKey) =>
  succeeded("opendkim-testmsg", ["-C", "-d", domain, "-s", selector, "-k", privateKeyFile], message)
