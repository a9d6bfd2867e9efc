/** A CSV file of people who do not exist, as large as wanted: what benchmarks import. */

import { once } from "node:events"
import { createWriteStream } from "node:fs"

const firstNames = ["Alva", "Bernd", "Chiara", "Dalia", "Enzo", "Fumi", "Gesa", "Hugo", "Ines", "Jorge"] as const

const header =
  "email,first_name,last_name,linkedin_url,headline,job_title,company,location,phone,company_website,company_industry," +
  "company_size,source\n"

/** Thirteen cells: two identifiers, a name and ten texts, about 330 characters. */
const line = (index: number, rows: number): string => {
  const first = firstNames[(index * 7) % firstNames.length] ?? ""
  const last = `Person${(index * 7919) % rows}`
  const company = index % 5_000
  return [
    `${first.toLowerCase()}.${last.toLowerCase()}.${index}@company${company}.example`,
    first,
    last,
    `https://www.linkedin.com/in/${first}-${last}-${index.toString(36)}`,
    `"Head of Finance, Company ${company}"`,
    "Head of Finance",
    `Company ${company} GmbH`,
    `"Berlin, Germany"`,
    `+49 30 ${100_000 + index}`,
    `https://company${company}.example`,
    "Software",
    "51-200",
    `fair ${index % 7}\n`
  ].join(",")
}

/** Writes a file of so many rows and its header; every row is another person. */
export const writeLeadFile = async (path: string, rows: number): Promise<void> => {
  const file = createWriteStream(path)
  let text = header
  for (let index = 0; index < rows; index++) {
    text += line(index, rows)
    if (text.length < 1 << 20) continue
    if (!file.write(text)) await once(file, "drain")
    text = ""
  }
  file.end(text)
  await once(file, "finish")
}
