/** What a build was made of, so that it is known to be of the present sources. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"

/** All files in a folder of the project's, with those in its folders: their names from `root`, in order. */
export const filesIn = (root: string, folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()

/** Of their names and of what is in them: 64 hexadecimal digits. */
export const digestFiles = (root: string, names: ReadonlyArray<string>): string => {
  const hash = createHash("sha256")
  for (const name of names)
    hash
      .update(name)
      .update("\0")
      .update(readFileSync(join(root, name)))
      .update("\0")
  return hash.digest("hex")
}
