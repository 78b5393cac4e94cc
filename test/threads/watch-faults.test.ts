import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { Worker } from "node:worker_threads"

/** What the thread says of these faults, one after another. */
const faultsOf = async (...faults: ReadonlyArray<string>) => {
  const worker = new Worker(new URL("faulty-thread.ts", import.meta.url))
  const said: Array<string> = []
  let exitCode: number | undefined
  worker.once("exit", (code) => (exitCode = code))
  await once(worker, "message")
  for (const fault of faults) {
    worker.postMessage(fault)
    if (fault !== "many") said.push(((await once(worker, "message")) as [string])[0])
    else
      for (let text = ""; text !== "all thrown"; said.push(text))
        [text] = (await once(worker, "message")) as [string]
  }
  if (exitCode === undefined && said.at(-1)!.startsWith("ended")) await once(worker, "exit")
  else await worker.terminate()
  return said
}

describe("a thread that watches its faults", () => {
  it("goes on after those of libraries, and after promises that fail unnoticed", async () => {
    const said = await faultsOf("timer", "socket", "rejection", "timer")
    assert.lengthOf(said, 4)
    for (const line of said) assert.match(line, /^outlived: /)
    assert.include(said[1], "ENOENT")
    assert.include(said[2], "Something failed unnoticed: Error: nobody waits")
  })

  it("does not tell what a parser could not read", async () => {
    const [said] = await faultsOf("timer")
    assert.match(said!, /SyntaxError\n\s+at /)
    assert.notInclude(said, "prompt")
  })

  it.each(["ours", "nameless"])(
    "ends where its own code was broken off, or may have been (%s)",
    async (fault) => {
      const said = await faultsOf("rejection", fault)
      assert.match(said[1]!, /^ended: .*(ours is broken|just words)/s)
    }
  )

  it("tells of a few only when there are many", async () => {
    const said = await faultsOf("many")
    assert.lengthOf(
      said.filter((line) => line.startsWith("outlived")),
      20
    )
  })
})
