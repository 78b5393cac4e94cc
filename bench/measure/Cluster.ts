/** So many nodes on one PostgreSQL, which the first of them runs. */
import type { Contender } from "./contenders.ts"
import { type GatewayMetrics, readMetrics } from "./read-metrics.ts"
import { Tollgate, type TollgateOptions } from "./Tollgate.ts"

export class Cluster {
  readonly #nodes: ReadonlyArray<Tollgate>

  private constructor(nodes: ReadonlyArray<Tollgate>) {
    this.#nodes = nodes
  }

  static async start(count: number, options: TollgateOptions): Promise<Cluster> {
    const first = await Tollgate.start(options)
    const nodes = [first]
    for (let index = 1; index < count; index++) {
      nodes.push(await Tollgate.start({ ...options, databaseUrl: first.databaseUrl }))
    }
    return new Cluster(nodes)
  }

  get first(): Tollgate {
    return this.#nodes[0]!
  }

  /** All nodes as one, with keys of so many accounts, each of which comes to every node. */
  async contender(accounts: number, name: string): Promise<Contender> {
    const [, ...others] = this.#nodes
    return {
      ...(await this.first.contender(accounts, name)),
      peers: others.map(({ started }) => ({ url: started.found, pid: started.pid }))
    }
  }

  /** Commits of all nodes so far, and the calls in them. */
  async commits(): Promise<Pick<GatewayMetrics, "commits" | "committedCalls">> {
    const all = await Promise.all(this.#nodes.map(({ started }) => readMetrics(started.found)))
    return {
      commits: all.reduce((sum, { commits }) => sum + commits, 0),
      committedCalls: all.reduce((sum, { committedCalls }) => sum + committedCalls, 0)
    }
  }

  /** The PostgreSQL goes last. */
  async stop(): Promise<void> {
    for (const node of this.#nodes.toReversed()) await node.stop()
  }
}
