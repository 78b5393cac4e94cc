/** What an attack does over and over, each on connections of its own, until it is told to stop. */
import { setMaxListeners } from "node:events"
import { connect, type Socket } from "node:net"
import { setTimeout as delay } from "node:timers/promises"
import { generateKeySecret } from "../../src/domain/api-key.ts"

export interface AttackPlan {
  readonly name: AttackName
  readonly port: number
  /** Of a customer without money, or with little. */
  readonly key: string
}

export interface AttackResult {
  /** How often which status was answered; `closed` where a connection ended without one. */
  readonly answers: Readonly<Record<string, number>>
}

/** So many members at a body's top level, in 20 MiB. */
const membersBody = `{"model":"claude-sonnet-5","max_tokens":9,"messages":[{"role":"user","content":"a"}]${Array.from({ length: 2_000_000 }, (_, index) => `,"${index.toString(36)}":0`).join("")}}`
const emptyObjects = (bytes: number): string =>
  `{"model":"gpt-5.5","max_tokens":9,"messages":[{"role":"user","content":[${"{},".repeat(Math.floor((bytes - 90) / 3))}{}]}]}`
const endless = Buffer.alloc(64 * 1024, 0x20)

const post = (key: string, length: number): string =>
  `POST /v1/messages HTTP/1.1\r\nhost: h\r\ncontent-type: application/json\r\nx-api-key: ${key}\r\ncontent-length: ${length}\r\n\r\n`

export class Attack {
  readonly #plan: AttackPlan
  readonly #stop = new AbortController()
  readonly #answers: Record<string, number> = {}
  readonly #sockets = new Set<Socket>()

  constructor(plan: AttackPlan) {
    this.#plan = plan
    setMaxListeners(0, this.#stop.signal)
  }

  async run(): Promise<AttackResult> {
    await attacks[this.#plan.name](this, this.#plan.key)
    return { answers: this.#answers }
  }

  stop(): void {
    this.#stop.abort()
    for (const socket of this.#sockets) socket.destroy()
  }

  get stopped(): boolean {
    return this.#stop.signal.aborted
  }

  pause(ms: number): Promise<void> {
    return delay(ms, undefined, { signal: this.#stop.signal }).catch(() => {})
  }

  /** So many at once, each again as soon as it is done. */
  async repeat(connections: number, once: (index: number) => Promise<void>): Promise<void> {
    const each = async (_: unknown, index: number) => {
      while (!this.stopped) await once(index)
    }
    await Promise.all(Array.from({ length: connections }, each))
  }

  open(localAddress = "127.0.0.1"): Promise<Socket | undefined> {
    return new Promise((resolve) => {
      const socket = connect({ host: "127.0.0.1", port: this.#plan.port, localAddress, noDelay: true })
      this.#sockets.add(socket)
      socket.on("close", () => {
        this.#sockets.delete(socket)
        resolve(undefined)
      })
      socket.on("error", () => {})
      socket.on("connect", () => resolve(socket))
    })
  }

  /** Sends on a connection of its own, all of it even if an answer comes before, and counts how it was answered. */
  async ask(bytes: ReadonlyArray<string | Buffer>): Promise<void> {
    const socket = await this.open()
    if (socket === undefined) return this.pause(10)
    const status = this.#statusOf(socket)
    for (const piece of bytes) {
      if (socket.destroyed) break
      if (!socket.write(piece)) await drained(socket)
    }
    this.#count(await status)
    socket.destroy()
  }

  /** On one kept connection, one after another. */
  async askAgain(socket: Socket, bytes: string): Promise<void> {
    const status = this.#statusOf(socket)
    socket.write(bytes)
    this.#count(await status)
  }

  #count(status: string): void {
    if (!this.stopped) this.#answers[status] = (this.#answers[status] ?? 0) + 1
  }

  #statusOf(socket: Socket): Promise<string> {
    return new Promise((resolve) => {
      const finish = (status: string) => {
        socket.off("data", heard).off("close", closed)
        resolve(status)
      }
      const heard = (bytes: Buffer) => finish(bytes.toString("latin1", 9, 12))
      const closed = () => finish("closed")
      socket.on("data", heard).on("close", closed)
      if (socket.destroyed) closed()
    })
  }
}

const drained = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const finish = () => {
      socket.off("drain", finish).off("close", finish)
      resolve()
    }
    socket.on("drain", finish).on("close", finish)
  })

export type AttackName = keyof typeof attacks

const attacks = {
  /** 300 connections, each with 20 MiB and no key. */
  "bodies without a key": (attack: Attack) => {
    const head = "POST /v1/messages HTTP/1.1\r\nhost: h\r\ncontent-length: 20971520\r\n\r\n"
    const body: ReadonlyArray<string | Buffer> = [head, ...Array.from({ length: 320 }, () => endless)]
    return attack.repeat(300, () => attack.ask(body))
  },
  /** Six bodies of 20 MiB with 2,000,000 members at once. */
  "bodies of many members": (attack: Attack, key: string) => {
    const bytes = [post(key, membersBody.length) + membersBody]
    return attack.repeat(6, () => attack.ask(bytes))
  },
  /** Twenty bodies a second of 127 KiB of `{}`. */
  "bodies of empty objects": async (attack: Attack, key: string) => {
    const body = emptyObjects(127 * 1024)
    const under: Array<Promise<void>> = []
    while (!attack.stopped) {
      under.push(attack.ask([post(key, body.length) + body]))
      await attack.pause(50)
    }
    await Promise.all(under)
  },
  /** Forty connections that try one key after another. */
  "made-up keys": (attack: Attack) =>
    attack.repeat(40, async () => {
      const socket = await attack.open()
      if (socket === undefined) return
      while (!attack.stopped && !socket.destroyed) {
        await attack.askAgain(socket, `${post(generateKeySecret(), 2)}{}`)
      }
    }),
  /** Connections that say nothing, from ten addresses, as many as can be had; each is opened anew when it is closed. */
  "idle connections": async (attack: Attack) => {
    await attack.repeat(idleConnections, async (index) => {
      const socket = await attack.open(`127.0.1.${1 + (index % 10)}`)
      if (socket === undefined) return attack.pause(1_000)
      socket.resume()
      await new Promise((resolve) => socket.on("close", resolve))
      await attack.pause(1_000)
    })
  }
} as const

const idleConnections = 19_000

export const attackNames = Object.keys(attacks) as ReadonlyArray<AttackName>
