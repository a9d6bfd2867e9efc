/** The size of a folder. */
import { lstat, readdir } from "node:fs/promises"
import { join } from "node:path"

/** Bytes of all files below a folder. Files that disappear meanwhile count 0, so a folder in use can be measured. */
export const folderBytes = async (directory: string): Promise<number> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        lstat(join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0
        )
      )
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
