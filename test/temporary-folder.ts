/**
 * Where the tests' temporary folders lie: in memory, where there is enough of it. A run makes and removes hundreds of databases of
 * a thousand files each, and a disk may take long over that: ext4 without a journal passes over every file that was removed in the
 * last minutes before it makes another one, so that a database takes 850 ms after forty others, in place of 75.
 */
import { accessSync, constants, readFileSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"

const inMemory = "/dev/shm"
const spaceMin = 4 * 1024 ** 3
const memoryMin = 8 * 1024 ** 3

/** `TMPDIR`, where it is set, is left as it is. */
export const temporaryFolder = (): string =>
  process.env["TMPDIR"] === undefined && process.availableMemory() >= memoryMin && isFit(inMemory)
    ? inMemory
    : tmpdir()

const isFit = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= spaceMin && !isNoexec(folder)
  } catch {
    return false
  }
}

/** The tests' programs could not be started there. */
const isNoexec = (folder: string): boolean =>
  readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .some(([, at, , options]) => at === folder && options!.split(",").includes("noexec"))
