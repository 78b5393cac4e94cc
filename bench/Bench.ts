/** What questions work with: the processes that take part, started when first wanted, and how long to measure. */
import { Generator } from "./load/Generator.ts"
import { makeCertificateFiles } from "./measure/certificate-files.ts"
import type { LoadJob, Target } from "./load/job.ts"
import {
  bareRelay,
  type Contender,
  direct,
  portkey,
  startBareRelay,
  startPortkey,
  startSimulator,
  startLeanUpstream
} from "./measure/contenders.ts"
import { interleave, measureRound, type Round } from "./measure/measure-round.ts"
import type { Started } from "./measure/start-process.ts"
import { Tollgate, type TollgateOptions } from "./measure/Tollgate.ts"

export interface BenchOptions {
  readonly quick: boolean
  readonly rounds: number
  readonly seconds: number
}

const warmUpSeconds = 20
/** Before each round, uncounted: caches are others' after others' turns. */
const leadInSeconds = 0.5

type Stoppable = { readonly stop: () => Promise<void> }

export class Bench {
  readonly options: BenchOptions
  readonly generator = new Generator()
  readonly #stoppable: Array<Stoppable> = []
  readonly #warm = new Set<number>()
  readonly #started = new Map<string, Promise<unknown>>()

  constructor(options: BenchOptions) {
    this.options = options
  }

  simulator(): Promise<Started> {
    return this.#once("simulator", () => this.own(startSimulator()))
  }

  leanUpstream(): Promise<Started> {
    return this.#once("lean upstream", () => this.own(startLeanUpstream()))
  }

  /** Another lean upstream, behind TLS; `leanAuthority` is the file of who vouches for it. */
  secureUpstream(): Promise<Required<Pick<TollgateOptions, "leanUrl" | "leanAuthority">>> {
    return this.#once("secure upstream", async () => {
      const files = await this.own(Promise.resolve(makeCertificateFiles()))
      const { found } = await this.own(startLeanUpstream(files))
      return { leanUrl: found, leanAuthority: files.authority }
    })
  }

  /** A relay before it and ourselves. */
  async secureSides(): Promise<{ readonly relay: Contender; readonly ours: Contender }> {
    const upstream = await this.secureUpstream()
    const relay = await this.own(startBareRelay(upstream.leanUrl, upstream.leanAuthority))
    const tollgate = await this.startTollgate(upstream)
    return {
      relay: bareRelay(relay, "bare relay, TLS"),
      ours: await tollgate.contender(16, "Tollgate, TLS")
    }
  }

  /** A gateway that questions share; those that would disturb it start their own. */
  tollgate(): Promise<Tollgate> {
    return this.#once("tollgate", () => this.startTollgate({}))
  }

  async startTollgate(options: Partial<TollgateOptions>): Promise<Tollgate> {
    const simulatorUrl = (await this.simulator()).found
    const leanUrl = (await this.leanUpstream()).found
    return this.own(Tollgate.start({ simulatorUrl, leanUrl, ...options }))
  }

  bareRelay(upstream: Started): Promise<Contender> {
    return this.#once(`bare relay of ${upstream.found}`, async () =>
      bareRelay(await this.own(startBareRelay(upstream.found)))
    )
  }

  /** The upstream called directly, the bare relay, ourselves and the other gateway, in this order. */
  async sides(upstream: Started): Promise<ReadonlyArray<Contender>> {
    const portkey = await this.portkey(upstream)
    return [
      direct(upstream.found),
      await this.bareRelay(upstream),
      await this.ours(),
      ...(portkey === undefined ? [] : [portkey])
    ]
  }

  /** In front of an upstream; `undefined` where it can not be installed. */
  async portkey(upstream: Started): Promise<Contender | undefined> {
    const started = await this.#once("portkey", async () => {
      const started = await startPortkey()
      return started === undefined ? undefined : this.own(Promise.resolve(started))
    })
    return started === undefined ? undefined : portkey(started, upstream.found)
  }

  /** Ourselves, with a few accounts. */
  async ours(accounts = 16): Promise<Contender> {
    const tollgate = await this.tollgate()
    return this.#once(`ours ${accounts}`, () => tollgate.contender(accounts))
  }

  /** All sides by turns under the same load, each warmed up before. */
  async rounds(
    sides: ReadonlyArray<Contender>,
    job: (side: Contender) => Target & Partial<LoadJob>,
    options: Partial<LoadJob> & { readonly rounds?: number } = {}
  ): Promise<ReadonlyMap<Contender, ReadonlyArray<Round>>> {
    const { rounds = this.options.rounds, ...load } = options
    const jobOf = (side: Contender): LoadJob => ({
      connections: 64,
      seconds: this.options.seconds,
      ...job(side),
      ...load
    })
    for (const side of sides) await this.warmUp(side, jobOf(side))
    return interleave(sides, rounds, async (side) => {
      await this.generator.load({ ...jobOf(side), seconds: leadInSeconds })
      return measureRound(this.generator, side, jobOf(side))
    })
  }

  /** Code is compiled, connections are opened and keys are known before anything is measured: the longer the newer it is. */
  async warmUp(side: Contender, job: Omit<LoadJob, "seconds">): Promise<void> {
    const known = side.pid === undefined || this.#warm.has(side.pid)
    if (side.pid !== undefined) this.#warm.add(side.pid)
    await this.generator.load({ ...job, seconds: known ? 1 : warmUpSeconds })
  }

  /** Is stopped with the suite. */
  async own<A extends Stoppable>(starting: Promise<A>): Promise<A> {
    const started = await starting
    this.#stoppable.push(started)
    return started
  }

  /** Before the suite ends. */
  async end(owned: Stoppable): Promise<void> {
    this.#stoppable.splice(this.#stoppable.indexOf(owned), 1)
    await owned.stop()
  }

  async stop(): Promise<void> {
    this.generator.close()
    for (const each of this.#stoppable.toReversed()) await each.stop()
  }

  #once<A>(name: string, start: () => Promise<A>): Promise<A> {
    const known = this.#started.get(name)
    if (known !== undefined) return known as Promise<A>
    const starting = start()
    this.#started.set(name, starting)
    return starting
  }
}
