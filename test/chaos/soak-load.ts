/** Callers of every kind, who keep book of what they were told. */
import { faults } from "./faults.ts"
import { type StreamClient, post } from "../gateway/open-stream.ts"
import { ask } from "../operations/calls.ts"
import type { Random } from "../Random.ts"
import { delay } from "../delay.ts"

export interface Book {
  /** Calls by how they went. */
  readonly kinds: Map<string, number>
  /** Ids of calls that a client saw whole. */
  readonly complete: Array<string>
  /** Ids of calls that a client was refused, or saw fail. */
  readonly failed: Array<string>
  /** Ids of calls that their client left, or whose connection broke. */
  readonly undecided: Array<string>
  /** Answers that are none of the contract's. */
  readonly wrong: Array<string>
}

export const newBook = (): Book => ({ kinds: new Map(), complete: [], failed: [], undecided: [], wrong: [] })

export interface Place {
  readonly url: () => string
  readonly keys: ReadonlyArray<string>
  /** Whether a connection may break now: a thread has just been killed. */
  readonly mayBreak: () => boolean
}

const ways = [
  ["/v1/messages", "claude-sonnet-5"],
  ["/v1/chat/completions", "deepseek-v4-pro"],
  ["/v1/messages", "deepseek-v4-pro"],
  ["/v1/chat/completions", "claude-sonnet-5"],
  ["/v1/messages", "svc/claude-sonnet-5"],
  ["/v1/chat/completions", "svc/nova-pro"],
  ["/v1/chat/completions", "req/deepseek-v4-pro"]
] as const

type Conduct = "reads" | "leaves" | "reads slowly" | "meets a fault"

const conductOf = (random: Random): Conduct => {
  const draw = random.next()
  if (draw < 0.62) return "reads"
  if (draw < 0.77) return "leaves"
  return draw < 0.82 ? "reads slowly" : "meets a fault"
}

const promptOf = (random: Random, conduct: Conduct): string => {
  if (conduct === "meets a fault") return `[sim: ${random.pick(faults).directive}]`
  if (conduct === "reads slowly") return "[sim: big=120000]"
  if (conduct === "leaves") return `[sim: tokens=120 interval=${random.pick([2, 5, 10])} latency=10]`
  return `[sim: tokens=${random.pick([3, 20, 60])} interval=${random.pick([0, 1, 4])}] ${"word ".repeat(random.pick([1, 50, 2_000]))}`
}

/** One call; never throws. */
export const callOnce = async (place: Place, random: Random, book: Book): Promise<void> => {
  const conduct = conductOf(random)
  const [path, model] = random.pick(ways)
  const stream = conduct === "reads slowly" || random.next() < 0.5
  const kind = `${path} ${stream ? "streamed" : "plain"} ${conduct}`
  book.kinds.set(kind, (book.kinds.get(kind) ?? 0) + 1)
  const body = ask(promptOf(random, conduct), { model, stream, max_tokens: 32_000 })
  const mayBreak = place.mayBreak
  try {
    const answer = await withLeaving(conduct, random, (read) =>
      post(place.url() + path, random.pick(place.keys), body, { read })
    )
    if (answer === undefined) return
    await judge(answer, { path, stream, conduct }, mayBreak, book)
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code ?? error)
    if (!mayBreak()) book.wrong.push(`${kind}: no answer (${code})`)
    // A machine that refuses connections is not asked thousands of times a second.
    await delay(50)
  }
}

const withLeaving = async (
  conduct: Conduct,
  random: Random,
  open: (read: boolean) => Promise<StreamClient>
): Promise<StreamClient | undefined> => {
  const answer = await open(conduct !== "reads slowly")
  if (conduct === "leaves" && answer.status === 200) {
    setTimeout(() => answer.leave(), 5 + random.next() * 250)
  }
  if (conduct === "reads slowly") {
    setTimeout(() => answer.read(), 500 + random.next() * 2_500)
  }
  return answer
}

interface Asked {
  readonly path: string
  readonly stream: boolean
  readonly conduct: Conduct
}

const allowed = new Set([400, 413, 429, 502, 503])

const judge = async (
  answer: StreamClient,
  asked: Asked,
  mayBreak: () => boolean,
  book: Book
): Promise<void> => {
  const { complete, text } = await answer.ended
  const id = String(answer.headers["request-id"])
  const say = (what: string) => book.wrong.push(`${asked.path} ${asked.conduct} ${id}: ${what}`)
  if (!complete) {
    book.undecided.push(id)
    if (asked.conduct !== "leaves" && !mayBreak()) say(`broke off with ${answer.status}`)
    return
  }
  if (answer.status !== 200) {
    book.failed.push(id)
    // As clients do that are told to come back.
    if (answer.status === 503) await delay(200)
    if (!allowed.has(answer.status)) return void say(`status ${answer.status}`)
    const { error, request_id, type } = JSON.parse(text) as Record<string, { type: string } | string>
    if (type !== "error" || request_id !== id || typeof error !== "object") say(`body ${text.slice(0, 200)}`)
    if ((answer.status === 429 || answer.status === 503) && !answer.headers["retry-after"])
      say("no retry-after")
    return
  }
  if (!asked.stream || hasEnd(text, asked.path)) return void book.complete.push(id)
  book.failed.push(id)
  if (!/("type":\s*"error"|"error":\s*\{)/.test(text.slice(-2_000)))
    say(`no end and no error: ${text.slice(-200)}`)
}

const hasEnd = (text: string, path: string): boolean =>
  path.includes("chat") ? text.endsWith("data: [DONE]\n\n") : text.includes("event: message_stop")
