/** Where a process that imports a file may be killed: the place, and the how many-th time it is reached. */
export const importPoints = [
  { name: "before the import is stored", at: "before-insert", on: 1 },
  { name: "when it is stored and not committed", at: "after-insert", on: 1 },
  { name: "when it is begun, before any row", at: "after-commit", on: 1 },
  { name: "when the first rows are written and not committed", at: "after-leads", on: 1 },
  { name: "when the first batch is committed", at: "after-commit", on: 2 },
  { name: "before the second batch is looked up", at: "before-look-up", on: 2 },
  { name: "when the second batch is looked up, its leads locked", at: "after-look-up", on: 2 },
  { name: "in the middle of writing the second batch", at: "after-leads", on: 6 },
  { name: "when its leads are written, before the progress", at: "before-progress", on: 2 },
  { name: "when its progress is written and not committed", at: "after-progress", on: 2 },
  { name: "when the end is written and not committed", at: "after-progress", on: 3 },
  { name: "when the end is committed, before the answer", at: "after-commit", on: 4 }
] as const

/** A place in the life of an import. */
export type ImportPlace = (typeof importPoints)[number]["at"]
