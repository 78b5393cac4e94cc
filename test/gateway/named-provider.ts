/** A provider that answers every call of Messages, and counts them. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { listen } from "../listen.ts"

export interface NamedProvider {
  readonly url: string
  /** Since it was last asked. */
  readonly takeCount: () => number
  /** The headers of the last call. */
  readonly lastHeaders: () => IncomingMessage["headers"]
  readonly lastBody: () => string
  answer: (response: ServerResponse) => void
  readonly close: () => void
}

export const startNamedProvider = async (): Promise<NamedProvider> => {
  let count = 0
  let headers: IncomingMessage["headers"] = {}
  let body = ""
  const server = createServer((request, response) => {
    count++
    headers = request.headers
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      body = Buffer.concat(chunks).toString()
      provider.answer(response)
    })
  })
  const provider: NamedProvider = {
    url: `http://127.0.0.1:${await listen(server)}`,
    takeCount: () => {
      const taken = count
      count = 0
      return taken
    },
    lastHeaders: () => headers,
    lastBody: () => body,
    answer: answerWell,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
  return provider
}

const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-5",
  content: [{ type: "text", text: "Hi" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 5, output_tokens: 1 }
}

export const answerWell = (response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "application/json" })
  response.end(JSON.stringify(message))
}
