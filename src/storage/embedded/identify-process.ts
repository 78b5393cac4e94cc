/** Tells processes apart beyond their number, which is given anew when a process ends or the machine restarts. */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, readlinkSync } from "node:fs"

/** Differs between any two processes that ever had this number; `undefined` when no such process lives. */
export const identifyProcess = (pid: number): string | undefined => {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  return existsSync("/proc/self/stat") ? identifyFromProc(pid) : identifyFromPs(pid)
}

/** The command line of a living process, its words separated by spaces. */
export const readCommandLine = (pid: number): string | undefined => {
  if (identifyProcess(pid) === undefined) return undefined
  try {
    return existsSync("/proc/self/stat")
      ? readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")
      : execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).trim()
  } catch {
    return undefined
  }
}

/** Where a living process works; only known on Linux. */
export const readWorkingDirectory = (pid: number): string | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

const identifyFromProc = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    const [state, startTicks] = [fields[0], fields[19]]
    if (state === "Z" || state === "X") return undefined
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
    return `${pid} ${boot} ${startTicks}`
  } catch {
    return undefined
  }
}

const identifyFromPs = (pid: number): string | undefined => {
  try {
    const answer = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { encoding: "utf8" }).trim()
    return answer === "" || answer.startsWith("Z") ? undefined : `${pid} ${answer.replace(/^\S+\s+/, "")}`
  } catch {
    return undefined
  }
}
