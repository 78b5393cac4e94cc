/** Sends one request after another on a connection that is kept, and tells of each whether it was used again. */
import { once } from "node:events"
import { Agent, type IncomingMessage, request } from "node:http"

export const probeConnection = async (
  url: string,
  methods: ReadonlyArray<string>,
  headers: Readonly<Record<string, string>> = {}
): Promise<ReadonlyArray<{ readonly status: number | undefined; readonly reused: boolean }>> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const seen = []
  for (const method of methods) {
    const sent = request(url, { method, agent, headers }).end()
    const [response] = (await once(sent, "response")) as [IncomingMessage]
    await once(response.resume(), "end")
    seen.push({ status: response.statusCode, reused: sent.reusedSocket })
  }
  agent.destroy()
  return seen
}
