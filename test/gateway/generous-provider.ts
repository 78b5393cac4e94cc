/**
 * A provider of chat completions that heeds no cap: it answers as many tokens as the prompt says (`tokens=9000`), thinks
 * as many more that nobody sees (`hidden=9000`), gives every choice it is asked for in whatever form, and counts what the
 * prompt says it counts (`says=…`, as JSON).
 */
import { createServer, type ServerResponse } from "node:http"
import { listen } from "../listen.ts"
import { delay } from "../delay.ts"

export interface GenerousProvider {
  /** Its base address, with the version. */
  readonly url: string
  /** The bodies it was asked with, as text. */
  readonly bodies: ReadonlyArray<string>
  readonly close: () => void
}

export const startGenerousProvider = async (): Promise<GenerousProvider> => {
  const bodies: Array<string> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString()
      bodies.push(body)
      void answer(body, response)
    })
    response.on("error", () => {})
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}/v1`,
    bodies,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** One token each, as most tokenizers have it. */
const words = " one two red sun day sea top new".split(/(?= )/)

const answer = async (body: string, response: ServerResponse): Promise<void> => {
  const told = (name: string) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(body)?.[1] ?? 0)
  const tokens = told("tokens")
  const hidden = told("hidden")
  const usage = saidUsage(body) ?? {
    prompt_tokens: 10,
    completion_tokens: tokens + hidden,
    total_tokens: 10 + tokens + hidden
  }
  const text = Array.from({ length: tokens }, (_, index) => words[index % words.length]!)
  if (!/"stream": ?true/.test(body)) {
    const choices = [
      { index: 0, message: { role: "assistant", content: text.join("") }, finish_reason: "stop" }
    ]
    response.writeHead(200, { "content-type": "application/json" })
    response.end(JSON.stringify({ id: "c", object: "chat.completion", choices, usage }))
    return
  }
  response.writeHead(200, { "content-type": "text/event-stream" })
  const send = (choices: ReadonlyArray<object>, more: object = {}) =>
    response.write(`data: ${JSON.stringify({ id: "c", choices, ...more })}\n\n`)
  for (const [index, word] of text.entries()) {
    send([{ index: 0, delta: { content: word }, finish_reason: null }])
    // As a network would, in several pieces, so that a gateway may pause it.
    if (index % 100 === 99) await delay(1)
    if (response.destroyed) return
  }
  send([{ index: 0, delta: {}, finish_reason: "stop" }])
  send([], { usage })
  if (/\bstays=1/.test(body)) return
  response.end("data: [DONE]\n\n")
}

const saidUsage = (body: string): object | undefined => {
  const said = /says=(\{.*?\})/.exec(body)?.[1]
  return said === undefined ? undefined : (JSON.parse(said.replaceAll("\\", "")) as object)
}
