/** A provider of all protocols that answers as it was told last, and keeps what it was asked. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { setImmediate as turn } from "node:timers/promises"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { listen } from "../../listen.ts"

export interface Asked {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly body: JsonObject
}

export interface Answering {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly pieces: ReadonlyArray<Buffer>
}

export class ScriptedUpstream {
  /** What has come since this was emptied. */
  asked: Array<Asked> = []
  url = ""
  #answer: (asked: Asked) => Answering = () => ({ status: 500, headers: {}, pieces: [] })
  readonly #server: Server

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response))
  }

  async start(): Promise<void> {
    this.url = `http://127.0.0.1:${await listen(this.#server)}`
  }

  answerWith(answer: (asked: Asked) => Answering): void {
    this.asked = []
    this.#answer = answer
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const asked = {
      path: request.url ?? "",
      headers: headersOf(request),
      text,
      body: JSON.parse(text) as JsonObject
    }
    this.asked.push(asked)
    const { headers, pieces, status } = this.#answer(asked)
    response.socket?.setNoDelay(true)
    response.writeHead(status, headers)
    for (const piece of pieces) {
      response.write(piece)
      await turn()
    }
    response.end()
  }
}

const headersOf = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
