/**
 * Loaded into the program before its own code (`NODE_OPTIONS=--import`), so that it has faults. Gateway threads throw from
 * uWebSockets.js' callbacks when they are asked for `/fault-…`; the main thread has one of a library on SIGUSR2, and one of
 * its own on SIGWINCH.
 */
import { registerHooks } from "node:module"
import { isMainThread } from "node:worker_threads"
import { Script } from "node:vm"

const inReceive = `
    const fault = req.getUrl()
    const fail = () => { throw new Error("injected " + fault) }
    if (fault === "/fault-at-once") fail()
    if (fault.startsWith("/fault-")) {
      res.onAborted(() => {})
      if (fault === "/fault-data") return void res.onData(fail)
      if (fault === "/fault-timer") return void setTimeout(fail)
      return void setTimeout(JSON.parse, 0, "{")
    }`

if (!isMainThread)
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context)
      // The module of the HTTP server, or the built file that it is a part of.
      if (!/\/(?:HttpServer\.ts|gateway-thread-[^/]+\.mjs)$/.test(url)) return loaded
      const source = String(loaded.source).replace(
        /\n\s+this\.#receive\(exchange, req\)[;\n]/,
        (call) => inReceive + call
      )
      return { ...loaded, source }
    }
  })
else {
  const filename = new URL("../../src/made-up.ts", import.meta.url).href
  const ownFault = new Script(`() => { throw new Error("a fault of our own") }`, {
    filename
  }).runInThisContext()
  process.on("SIGUSR2", () => setTimeout(JSON.parse, 0, "{a prompt"))
  process.on("SIGWINCH", () => setTimeout(ownFault))
}
