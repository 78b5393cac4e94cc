/** The load generator: a process of its own that does what it is told over its channel and answers with figures. */
import { type Held, holdOpen } from "./hold-open.ts"
import type { FromGenerator, ToGenerator } from "./job.ts"
import { runLoad } from "./run-load.ts"

const held: Array<Held> = []

const act = async (message: ToGenerator): Promise<FromGenerator["result"]> => {
  switch (message.kind) {
    case "load":
      return runLoad(message.job)
    case "hold": {
      const opened = await holdOpen(message.job)
      held.push(opened)
      return opened.result
    }
    case "release":
      for (const each of held.splice(0)) each.release()
      return undefined
  }
}

process.on("message", async (message: ToGenerator) => {
  const answer: FromGenerator = { id: message.id, result: await act(message) }
  process.send!(answer)
})
process.on("disconnect", () => process.exit())
