/** What goes wrong around the gateway while it is under load: one thing after another, by chance. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setMaintenance } from "../../src/accounts/maintenance.ts"
import type { TestGateway } from "../gateway/start-gateway.ts"
import type { Random } from "../Random.ts"
import { delay } from "../delay.ts"

export interface Injector {
  readonly counts: Map<string, number>
  /** When a gateway thread was last killed, ms since 1970. */
  readonly threadKilledAt: () => number
  /** One fault, from its beginning to its end. */
  readonly inject: () => Promise<void>
}

export const makeInjector = (
  gateway: TestGateway,
  databasePid: () => Promise<number>,
  random: Random
): Injector => {
  const counts = new Map<string, number>()
  let threadKilledAt = 0
  const reload = fileSwitch(join(gateway.dataDir, "tollgate.yaml"))
  const faults: Readonly<Record<string, () => Promise<unknown>>> = {
    "gateway thread killed": async () => {
      threadKilledAt = Date.now()
      gateway.signal("SIGUSR2")
    },
    "database killed": async () => signalAll([await databasePid()], "SIGKILL"),
    "database frozen": async () => {
      const pids = family(await databasePid())
      signalAll(pids, "SIGSTOP")
      await delay(500 + random.next() * 3_000)
      signalAll(pids, "SIGCONT")
    },
    "database connections cut": () => cutConnections(gateway),
    "settings read again": async () => {
      reload()
      gateway.signal("SIGHUP")
    },
    "maintenance on and off": async () => {
      await gateway.run(setMaintenance(true, "soak"))
      await delay(300)
      await gateway.run(setMaintenance(false, "soak"))
    }
  }
  const names = Object.keys(faults)
  let next = 0
  return {
    counts,
    threadKilledAt: () => threadKilledAt,
    inject: async () => {
      // Each once at first, so that a short run has seen all of them.
      const name = next < names.length ? names[next++]! : random.pick(names)
      counts.set(name, (counts.get(name) ?? 0) + 1)
      // Where the database is away, what needs it fails, as it should.
      await faults[name]!().catch(() => undefined)
    }
  }
}

const cutConnections = (gateway: TestGateway) =>
  gateway.sql(
    (sql) => sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'tollgate%' and pid <> pg_backend_pid()`
  )

/** Each turn another alias, so that there is something to change. */
const fileSwitch = (path: string) => {
  const settings = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>
  let turn = 0
  return () => {
    turn++
    writeFileSync(path, JSON.stringify({ ...settings, aliases: { [`soak-${turn % 2}`]: "claude-opus-5" } }))
  }
}

const signalAll = (pids: ReadonlyArray<number>, signal: NodeJS.Signals) => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** A process and all that it has started. */
const family = (root: number): ReadonlyArray<number> => {
  const children = new Map<number, Array<number>>()
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    const parent = parentOf(Number(name))
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const all = [root]
  for (const pid of all) all.push(...(children.get(pid) ?? []))
  return all
}

const parentOf = (pid: number): number | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1])
  } catch {
    return undefined
  }
}
