/** A client of a running service, as far as benchmarks need one. */
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { request } from "node:http"

/** How the rows of an import ended. */
export interface ImportCounts {
  readonly created: number
  readonly updated: number
  readonly skipped: number
  readonly invalid: number
}

const numberIn = (value: object, name: string): number => Number(Reflect.get(value, name))

/** Sends a request and reads its JSON answer; throws for any other status than 2xx. */
const call = (url: string, key: string, type: string, length: number | undefined) => {
  const headers = { authorization: `Bearer ${key}`, "content-type": type }
  const sent = request(url, {
    method: "POST",
    headers: length === undefined ? headers : { ...headers, "content-length": length }
  })
  const answered = new Promise<object>((resolve, reject) => {
    sent.once("error", reject)
    sent.once("response", (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.once("error", reject)
      response.once("end", () => {
        const text = Buffer.concat(chunks).toString("utf8")
        const isGood = response.statusCode !== undefined && response.statusCode < 300
        if (isGood) resolve(Object(JSON.parse(text)))
        else reject(new Error(`${response.statusCode}: ${text.slice(0, 500)}`))
      })
    })
  })
  return { sent, answered }
}

/** Runs a command. */
export const runCommand = (base: string, key: string, command: string, input: object): Promise<object> => {
  const { answered, sent } = call(`${base}/api/v1/commands/${command}`, key, "application/json", undefined)
  sent.end(JSON.stringify(input))
  return answered
}

/** Uploads a CSV file into a mission and answers how its rows ended. */
export const uploadFile = async (base: string, key: string, mission: string, path: string): Promise<ImportCounts> => {
  const { size } = await stat(path)
  const { answered, sent } = call(`${base}/api/v1/missions/${mission}/imports?again=true`, key, "text/csv", size)
  createReadStream(path, { highWaterMark: 256 * 1024 }).pipe(sent)
  const done = Object(Reflect.get(Object(Reflect.get(await answered, "data")), "import"))
  if (Reflect.get(done, "state") !== "completed") throw new Error(`The import ended as ${JSON.stringify(done)}`)
  return {
    created: numberIn(done, "created_count"),
    updated: numberIn(done, "updated_count"),
    skipped: numberIn(done, "skipped_count"),
    invalid: numberIn(done, "invalid_count")
  }
}
