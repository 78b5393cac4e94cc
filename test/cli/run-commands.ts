/**
 * Commands one after another in one process: a start takes a second of the processor's time, and most commands a hundredth
 * of that. Each message is the arguments of one; it is answered with what the process would have written and ended with.
 */
import { Effect } from "effect"
import { statusOf } from "../../src/cli/run.ts"

const written = { stdout: "", stderr: "" }
for (const name of ["stdout", "stderr"] as const) {
  process[name].write = (text: string | Uint8Array, ...rest: ReadonlyArray<unknown>): boolean => {
    written[name] += Buffer.from(text as string).toString()
    const told = rest.at(-1)
    if (typeof told === "function") told()
    return true
  }
}

let last: Promise<unknown> = Promise.resolve()
process.on("message", ({ args, id }: { readonly id: number; readonly args: ReadonlyArray<string> }) => {
  last = last.then(async () => {
    const status = await Effect.runPromise(statusOf(args))
    process.send!({ id, status, ...written })
    Object.assign(written, { stdout: "", stderr: "" })
  })
})
