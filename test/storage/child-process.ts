/** Other processes, for tests of what holds between them. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { identifyProcess } from "../../src/storage/embedded/identify-process.ts"
import { until } from "../until.ts"

export const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-storage-"))
  // Passable for the user that PostgreSQL runs as, which a temporary folder is not.
  chmodSync(folder, 0o755)
  return folder
}

export interface Holder {
  readonly child: ChildProcess
  /** The line it said first. */
  readonly answer: string
}

const script = fileURLToPath(new URL("./hold-folder.ts", import.meta.url))

export const hold = async (mode: "lock" | "serve", folder: string, uid?: number): Promise<Holder> => {
  const child = spawn(process.execPath, [script, mode, folder], {
    stdio: ["pipe", "pipe", "inherit"],
    ...(uid !== undefined && { uid, gid: uid })
  })
  for await (const line of createInterface({ input: child.stdout })) {
    if (/^(held|refused)/.test(line)) return { child, answer: line }
  }
  throw new Error("the process ended without an answer")
}

/** Ends it in order and waits for it. */
export const letGo = async ({ child }: Holder): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, "exit")
  child.stdin!.end()
  await exit
}

export const killHard = async ({ child }: Holder): Promise<void> => {
  const exit = once(child, "exit")
  child.kill("SIGKILL")
  await exit
}

export const untilDead = (pid: number) => until(() => identifyProcess(pid) === undefined, 60)

/** The process that stops PostgreSQL when its owner is killed. Linux only. */
export const findGuard = (serverPid: number): number | undefined =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => readCommand(pid).endsWith(`kill -INT "$0"\0${serverPid}\0`))

const readCommand = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8")
  } catch {
    return ""
  }
}
