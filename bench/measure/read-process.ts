/** What a process has used so far, from Linux's /proc. */
import { readdirSync, readFileSync } from "node:fs"

const ticksPerSecond = 100

/** User and system time of a whole process in ms, to 10 ms. `withEnded`: of its children that have ended too. */
export const cpuMs = (pid: number, withEnded = false): number => {
  const fields = statOf(pid)
  const ticks = Number(fields[11]) + Number(fields[12])
  const ended = withEnded ? Number(fields[13]) + Number(fields[14]) : 0
  return ((ticks + ended) * 1000) / ticksPerSecond
}

/** The PostgreSQL that a gateway runs for itself: its server and all its helpers. */
export const postgresCpuMs = (gatewayPid: number): number =>
  postmastersOf(gatewayPid).reduce((sum, postmaster) => sum + serverCpuMs(postmaster), 0)

/** A PostgreSQL and all its helpers, those that have ended too. */
export const serverCpuMs = (postmaster: number): number =>
  childrenOf(postmaster).reduce((own, child) => own + quietCpuMs(child), cpuMs(postmaster, true))

/** Resident memory in bytes. */
export const residentBytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? NaN) * 1024

/** Resident memory of a gateway's PostgreSQL; what its processes share is counted once, by their share of it. */
export const postgresBytes = (gatewayPid: number): number =>
  postmastersOf(gatewayPid)
    .flatMap((postmaster) => childrenOf(postmaster).concat(postmaster))
    .reduce((sum, pid) => sum + proportionalBytes(pid), 0)

const proportionalBytes = (pid: number): number => {
  try {
    return (
      Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) * 1024
    )
  } catch {
    return 0
  }
}

const postmastersOf = (gatewayPid: number): ReadonlyArray<number> =>
  childrenOf(gatewayPid).filter((pid) => readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("postgres"))

const childrenOf = (pid: number): Array<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => {
      try {
        return statOf(child)[1] === String(pid)
      } catch {
        return false // It ended meanwhile.
      }
    })

const quietCpuMs = (pid: number): number => {
  try {
    return cpuMs(pid)
  } catch {
    return 0
  }
}

/** The fields after the name, which may hold spaces: state, parent … */
const statOf = (pid: number): ReadonlyArray<string> => {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8")
  return text.slice(text.lastIndexOf(")") + 2).split(" ")
}
