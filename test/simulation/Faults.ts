/** What goes wrong, and when: drawn from the seed. Each fault ends by itself, and tells when it has. */
import type { Gateway } from "./Gateway.ts"
import type { NodeProcess } from "./NodeProcess.ts"
import type { Truth } from "./Truth.ts"
import type { Server } from "./Network.ts"
import type { World } from "./World.ts"

export interface Stage {
  readonly world: World
  readonly server: Server
  readonly truth: Truth
  readonly gateway: Gateway
  readonly untilEndMs: () => number
  readonly living: () => ReadonlyArray<NodeProcess>
  /** Starts another process, on the data folder of this one or on a new one. */
  readonly replace: (process: NodeProcess, keepsFolder: boolean) => void
  readonly stepDatabaseClock: (ms: number) => void
}

/** Mostly short, now and then longer than any lease. */
const durationMs = ({ random }: World): number =>
  random.pick([100, 300, 900, 2_000, 4_000, 6_000, 9_000, 13_000]) * (0.7 + 0.6 * random.next())

const during = (
  stage: Stage,
  process: NodeProcess,
  what: string,
  begin: () => void,
  end: () => void
): void => {
  const { world } = stage
  const ms = durationMs(world)
  world.say(process.name, () => `--- ${what} for ${ms.toFixed(0)} ms`)
  process.faultyUntilMs = Math.max(process.faultyUntilMs, world.nowMs + ms)
  begin()
  world.after(ms, () => {
    if (!process.isAlive) return
    world.say(process.name, () => `--- no longer ${what}`)
    end()
  })
}

type Fault = (stage: Stage, process: NodeProcess) => void

const heal = ({ world }: Stage, { link }: NodeProcess) => link.heal(world.random.chance(0.7))

const freeze: Fault = (stage, process) =>
  during(
    stage,
    process,
    "stopped",
    () => process.machine.freeze(),
    () => process.machine.thaw()
  )

const freezeInTake: Fault = ({ world }, process) => {
  process.freezesInTakeMs = durationMs(world)
}

const cut: Fault = (stage, process) =>
  during(
    stage,
    process,
    "cut off",
    () => process.link.cut(),
    () => heal(stage, process)
  )

const swallow: Fault = (stage, process) => {
  const { link } = process
  during(
    stage,
    process,
    "unheard",
    () => (link.holdsUp = link.holdsDown = true),
    () => heal(stage, process)
  )
}

const deafen: Fault = (stage, process) =>
  during(
    stage,
    process,
    "deaf",
    () => (process.link.holdsDown = true),
    () => heal(stage, process)
  )

const mute: Fault = (stage, process) =>
  during(
    stage,
    process,
    "mute",
    () => (process.link.holdsUp = true),
    () => heal(stage, process)
  )

const stick: Fault = (stage, process) => {
  const isNoticed = stage.world.random.chance(0.7)
  during(
    stage,
    process,
    "stuck on its old connections",
    () => process.link.stick(isNoticed),
    () => heal(stage, process)
  )
}

const slow: Fault = (stage, process) => {
  const ms = stage.world.random.pick([20, 200, 1_500])
  during(
    stage,
    process,
    `slow by ${ms} ms`,
    () => (process.link.slowMs = ms),
    () => heal(stage, process)
  )
}

const reset: Fault = ({ world }, process) => {
  world.say(process.name, () => "--- its connections are reset")
  process.faultyUntilMs = Math.max(process.faultyUntilMs, world.nowMs + 500)
  process.link.cut()
  process.link.isCut = false
}

const kill: Fault = (stage, process) => {
  const { random } = stage.world
  const isPowerLost = random.chance(0.3)
  const keepsFolder = random.chance(0.7)
  stage.world.say(process.name, () => `--- killed${isPowerLost ? ", power and all" : ""}`)
  process.kill(isPowerLost)
  process.faultyUntilMs = stage.world.nowMs + 11_000
  stage.truth.died(process)
  stage.world.after(Math.min(stage.untilEndMs(), random.pick([50, 1_000, 5_000])), () =>
    stage.replace(process, keepsFolder)
  )
}

const restart: Fault = (stage, process) => {
  if (process.machine.isFrozen) return
  stage.world.say(process.name, () => "--- restarted")
  process.faultyUntilMs = stage.world.nowMs + 11_000
  process.stop(() => {
    stage.world.say(process.name, () => "--- has stopped")
    process.kill(false)
    stage.truth.died(process)
    stage.replace(process, true)
  })
}

const stepClock: Fault = ({ world }, process) => {
  const ms = world.random.below(20_000) - 10_000
  world.say(process.name, () => `--- its clock is set by ${ms} ms`)
  process.machine.stepWall(ms)
}

const setDatabaseClock: Fault = (stage) => {
  const { random } = stage.world
  const ms = random.pick([-3_600_000, -30_000, -5_000, 5_000, 3_600_000]) * (0.5 + random.next())
  stage.world.say("database", () => `--- its clock is set by ${ms.toFixed(0)} ms`)
  stage.truth.databaseFaultyUntilMs = Math.max(stage.truth.databaseFaultyUntilMs, stage.world.nowMs)
  stage.stepDatabaseClock(ms)
}

const restartDatabase: Fault = (stage) => {
  const { random } = stage.world
  if (!stage.server.isUp) return
  const ms = durationMs(stage.world)
  const isFailOver = random.chance(0.5)
  stage.world.say(
    "database",
    () => `--- ${isFailOver ? "fails over" : "restarts"}, away for ${ms.toFixed(0)} ms`
  )
  stage.truth.databaseFaultyUntilMs = stage.world.nowMs + ms
  stage.server.stop()
  stage.world.after(ms, () => {
    if (isFailOver) stage.stepDatabaseClock(random.below(400) - 200)
    stage.world.say("database", () => "--- is back")
    stage.server.start()
  })
}

const faults = {
  freeze,
  freezeInTake,
  cut,
  swallow,
  deafen,
  mute,
  stick,
  slow,
  reset,
  kill,
  restart,
  stepClock,
  restartDatabase,
  setDatabaseClock
} satisfies Record<string, Fault>

export type FaultName = keyof typeof faults

/** Some come twice as often. */
const common: ReadonlyArray<FaultName> = ["freeze", "freezeInTake", "cut", "stick", "reset", "kill"]
const everything = [...(Object.keys(faults) as Array<FaultName>), ...common]

/** One of these befalls a node. */
export const strike = (stage: Stage, names: ReadonlyArray<FaultName> = everything): void => {
  const living = stage.living()
  if (living.length > 0) faults[stage.world.random.pick(names)](stage, stage.world.random.pick(living))
}

/** Everything is whole again. */
export const healAll = (stage: Stage): void => {
  stage.world.say("", () => "=== all faults end")
  stage.server.start()
  for (const process of stage.living()) {
    process.freezesInTakeMs = 0
    process.link.heal(true)
    if (process.machine.isFrozen) process.machine.thaw()
  }
}
