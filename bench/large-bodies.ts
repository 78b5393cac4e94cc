/**
 * How long does each kind of large body or answer hold the event loop of a gateway thread? Sends each several times and
 * prints the longest delays the thread saw: `node bench/large-bodies.ts [rounds]`. The least of the rounds is the
 * thread's own doing; the median has other work on the machine in it.
 */
import { startGateway } from "../test/gateway/start-gateway.ts"
import { readMetrics } from "./measure/read-metrics.ts"

const mebibyte = 1024 * 1024
const rounds = Number(process.argv[2] ?? 7)
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNsaGioBwAFgwKAJ1YgJQAAAABJRU5ErkJggg==",
  "base64"
)

/** A picture of so many bytes in base64. */
const picture = (bytes: number) =>
  Buffer.concat([png, Buffer.alloc(Math.floor((bytes * 3) / 4) - 200, 7)]).toString("base64")
const turns = (bytes: number) =>
  // The user has the last word.
  Array.from({ length: Math.floor(bytes / 960) * 2 + 1 }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: "The quick brown fox says: xin chào! ".repeat(12)
  }))
const numbers = (bytes: number) => Array.from({ length: Math.floor(bytes / 4) }, (_, index) => index % 90)

const messages = (model: string, content: unknown, more: object = {}) => ({
  path: "/v1/messages",
  body: { model, max_tokens: 16, messages: [{ role: "user", content }], ...more }
})
const image = (bytes: number) => [
  { type: "image", source: { type: "base64", media_type: "image/png", data: picture(bytes) } },
  { type: "text", text: "What is it?" }
]

/** `bytes` leaves room for what stands around. */
const kinds = (
  bytes: number
): Readonly<Record<string, { readonly path: string; readonly body: object }>> => ({
  "Messages, many turns": {
    path: "/v1/messages",
    body: { model: "claude-sonnet-5", max_tokens: 16, messages: turns(bytes) }
  },
  "Messages, one image": messages("claude-sonnet-5", image(bytes)),
  "Messages, many numbers": messages("claude-sonnet-5", "Hello", {
    metadata: { user_id: "a", list: numbers(bytes) }
  }),
  "Messages → chat, one image": messages("gpt-5.5", image(bytes)),
  "Messages → chat, many turns": {
    path: "/v1/messages",
    body: { model: "gpt-5.5", max_tokens: 16, messages: turns(bytes) }
  },
  "Messages → Bedrock Claude, one image": messages("svc/claude-sonnet-5", image(bytes)),
  "Messages → Converse, one image": messages("svc/nova-pro", image(bytes)),
  "chat, many turns": { path: "/v1/chat/completions", body: { model: "gpt-5.5", messages: turns(bytes) } },
  "Responses, one string": {
    path: "/v1/responses",
    body: { model: "gpt-5.5", input: "word ".repeat(bytes / 5) }
  },
  "image edit": {
    path: "/v1/images/edits",
    body: { model: "req/gpt-image-2", prompt: "A house", image: picture(bytes) }
  },
  count_tokens: {
    path: "/v1/messages/count_tokens",
    body: { model: "claude-sonnet-5", messages: turns(bytes) }
  },
  "speech (refused)": {
    path: "/v1/audio/speech",
    body: { model: "req/gpt-4o-mini-tts", voice: "alloy", input: "word ".repeat(bytes / 5) }
  }
})
const answers: Readonly<Record<string, { readonly path: string; readonly body: object }>> = {
  "answer of 8 MiB, Messages": messages("claude-sonnet-5", "[sim: big=8000000]", { max_tokens: 8000 }),
  "answer of 8 MiB, converted": messages("gpt-5.5", "[sim: big=8000000]", { max_tokens: 8000 }),
  "answer of 16 MiB of images": {
    path: "/v1/images/generations",
    body: { model: "req/gpt-image-2", n: 2, prompt: "[sim: big=8000000]" }
  },
  "stream of 8 MiB, converted": messages("gpt-5.5", "[sim: big=8000000]", { max_tokens: 8000, stream: true })
}

const gateway = await startGateway()
const { key } = await gateway.account("900000000")
const send = async ({ body, path }: { readonly path: string; readonly body: string }) => {
  const answer = await fetch(gateway.url + path, { method: "POST", headers: { "x-api-key": key }, body })
  await answer.arrayBuffer()
  return answer.status
}

const measure = async (name: string, call: { readonly path: string; readonly body: object }) => {
  const sent = { path: call.path, body: JSON.stringify(call.body) }
  const status = await send(sent)
  const delays: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    await readMetrics(gateway.url)
    await send(sent)
    delays.push((await readMetrics(gateway.url)).longestDelayMs)
  }
  delays.sort((left, right) => left - right)
  const [least, middle, most] = [delays[0]!, delays[rounds >> 1]!, delays.at(-1)!].map((delay) =>
    delay.toFixed(1).padStart(8)
  )
  console.log(
    `${name.padEnd(40)} ${(sent.body.length / mebibyte).toFixed(1).padStart(5)} MiB  ${status} ${least}${middle}${most}`
  )
}

console.log("longest delay of the event loop, ms                      status   least  median    most")
for (const size of [1, 20]) {
  for (const [name, call] of Object.entries(kinds(size * mebibyte - 2_000))) await measure(name, call)
}
for (const [name, call] of Object.entries(answers)) await measure(name, call)
await gateway.stop()
process.exit()
