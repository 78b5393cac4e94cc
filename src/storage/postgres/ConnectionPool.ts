/** A few connections, each lent to one piece of work at a time. Those that have ended are replaced by new ones. */
import type { Connection, Sql } from "./Connection.ts"

export interface PoolOptions {
  readonly connectionsMax: number
  /** How many pieces of work may wait for a connection, and how long; more, and longer, fails. */
  readonly waitingMax: number
  readonly waitMs: number
  /** A connection that is older is replaced when it comes back: what it had cached at the server is set free. */
  readonly ageMsMax: number
  /** A connection that is lent for longer is closed, which fails what is under way on it: the answer may never come. */
  readonly lentMsMax: number
}

export const defaultPool: PoolOptions = {
  connectionsMax: 10,
  waitingMax: 1_000,
  waitMs: 10_000,
  ageMsMax: 45 * 60_000,
  lentMsMax: 60_000
}

/** Work that was given no connection. */
export class NoFreeConnection extends Error {
  readonly code = "NO_FREE_CONNECTION"
  constructor(reason: string) {
    super(`no connection to the database is free: ${reason}`)
  }
}

/** The database did not answer in time: whether what was asked was done is not known. */
export class NoAnswer extends Error {
  readonly code = "NO_ANSWER"
  override readonly message = "no answer from the database in time"
}

export interface Loan {
  readonly sql: Sql
  /** Rejects with `NoAnswer` once the connection was closed for having been lent for too long. */
  readonly overdue: Promise<never>
  /** Only the first time counts: by the second somebody else may have the connection. */
  readonly release: () => void
}

interface Member {
  readonly connection: Connection
  readonly openedMs: number
}

interface Waiting {
  readonly give: (member: Member) => void
  readonly refuse: (reason: string) => void
}

export class ConnectionPool {
  readonly #open: () => Connection
  readonly #options: PoolOptions
  /** The one that came back last goes out first. */
  readonly #idle: Array<Member> = []
  readonly #lent = new Set<Member>()
  readonly #waiting = new Set<Waiting>()
  #closed = false

  constructor(open: () => Connection, options: Partial<PoolOptions> = {}) {
    this.#open = open
    this.#options = { ...defaultPool, ...options }
  }

  /** Gives the work a connection for as long as it lasts, but no longer than that. */
  async run<A>(work: (sql: Sql) => Promise<A>, lentMsMax?: number): Promise<A> {
    const { overdue, release, sql } = await this.take(lentMsMax)
    try {
      return await Promise.race([work(sql), overdue])
    } finally {
      release()
    }
  }

  async take(lentMsMax: number = this.#options.lentMsMax): Promise<Loan> {
    const member = this.#next() ?? (await this.#wait())
    const { cancel, overdue } = closeWhenOverdue(member.connection, lentMsMax)
    // What swallowed this one's answer swallows those of the idle as well: nobody else is to wait for them as long.
    overdue.catch(() => this.#closeIdle())
    let isOver = false
    const release = () => {
      cancel()
      if (!isOver) this.#release(member)
      isOver = true
    }
    return { sql: member.connection.sql, overdue, release }
  }

  /** Whatever is still under way fails. */
  async close(): Promise<void> {
    this.#closed = true
    for (const waiting of this.#waiting) waiting.refuse("the program ends")
    const members = [...this.#idle.splice(0), ...this.#lent]
    await Promise.all(members.map(({ connection }) => connection.close()))
  }

  #closeIdle(): void {
    for (const { connection } of this.#idle.splice(0)) void connection.close()
  }

  #next(): Member | undefined {
    if (this.#closed) throw new NoFreeConnection("the program ends")
    let member = this.#idle.pop()
    while (member?.connection.hasEnded === true) member = this.#idle.pop()
    if (member === undefined && this.#lent.size >= this.#options.connectionsMax) return undefined
    member ??= { connection: this.#open(), openedMs: performance.now() }
    this.#lent.add(member)
    return member
  }

  #wait(): Promise<Member> {
    if (this.#waiting.size >= this.#options.waitingMax) throw new NoFreeConnection("too many wait")
    return new Promise((resolve, reject) => {
      const forget = () => {
        clearTimeout(timer)
        this.#waiting.delete(waiting)
      }
      const waiting: Waiting = {
        give: (member) => {
          forget()
          resolve(member)
        },
        refuse: (reason) => {
          forget()
          reject(new NoFreeConnection(reason))
        }
      }
      const timer = setTimeout(() => waiting.refuse("waited too long"), this.#options.waitMs)
      this.#waiting.add(waiting)
    })
  }

  #release(member: Member): void {
    this.#lent.delete(member)
    if (this.#closed || performance.now() - member.openedMs > this.#options.ageMsMax)
      void member.connection.close()
    if (!member.connection.hasEnded) this.#idle.push(member)
    const [first] = this.#waiting
    const next = first === undefined || this.#closed ? undefined : this.#next()
    if (next !== undefined) first!.give(next)
  }
}

/** Closes the connection after so long, unless that is cancelled before. */
export const closeWhenOverdue = (connection: Connection, ms: number) => {
  const { promise: overdue, reject } = Promise.withResolvers<never>()
  // Whoever waits for something else hears of it by that.
  overdue.catch(() => {})
  const timer = setTimeout(() => {
    reject(new NoAnswer())
    void connection.close()
  }, ms)
  return { overdue, cancel: () => clearTimeout(timer) }
}
