/** Where a request comes from, in the words of the proxy in front of us. */
import { isIP } from "node:net"
import type { HttpRequest } from "uWebSockets.js"

/** Proxies that add a line leave their client's standing before it: the last one is theirs. */
export const readForwardedFor = (req: HttpRequest): string => {
  let last = ""
  req.forEach((name, value) => {
    if (name === "x-forwarded-for") last = value
  })
  return last
}

/** What the nearest proxy added, some with the port; all before it is the caller's word. */
export const toldAddress = (forwardedFor: string): string | undefined => {
  const last = forwardedFor.split(",").at(-1)!.trim()
  const address = /^\[(.*)\](?::\d+)?$/.exec(last)?.[1] ?? last.replace(/^([\d.]+):\d+$/, "$1")
  return isIP(address) === 0 ? undefined : address
}
