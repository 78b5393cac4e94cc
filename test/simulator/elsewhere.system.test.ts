/** The simulator on a thread and in a process of its own, and with as many streams as a load test opens. */
import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { Worker } from "node:worker_threads"
import { messagesBody, useSimulator } from "./ask.ts"

const simulator = useSimulator()

it("counts a thousand open streams and lets them all finish", async () => {
  const count = 1000
  const body = messagesBody("[sim: first=300 interval=1 tokens=5]", { stream: true })
  const all = Array.from({ length: count }, async () => (await simulator.post("/v1/messages", body)).text())
  const texts = await Promise.all(all)
  for (const text of texts) assert.include(text, "message_stop")
  const seen = await simulator.seen(`finished=${count}&openStreams=0`)
  assert.strictEqual(seen.finished, count)
})

describe("the simulator elsewhere", () => {
  const hello = async (url: string) => {
    const response = await fetch(`${url}/v1/models`, { headers: { authorization: "Bearer k" } })
    assert.strictEqual(response.status, 200)
    await response.arrayBuffer()
  }

  it("runs on a thread of its own", async () => {
    const worker = new Worker(new URL("../../workers/simulator.ts", import.meta.url), { execArgv: [] })
    const { url } = await new Promise<{ url: string }>((resolve, reject) => {
      worker.once("message", resolve)
      worker.once("error", reject)
    })
    await hello(url)
    const ended = new Promise((resolve) => worker.once("exit", resolve))
    worker.postMessage("close", [])
    assert.strictEqual(await ended, 0)
  })

  it("runs as a process and says where", async () => {
    const child = execFile(process.execPath, ["workers/simulator.ts", "--port", "0"])
    const line = await new Promise<string>((resolve) =>
      child.stdout!.once("data", (data) => resolve(String(data)))
    )
    await hello((JSON.parse(line) as { url: string }).url)
    child.kill()
  })
})
