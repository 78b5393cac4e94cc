/** Writes the head of an answer, its status with the reason for it. Headers may follow. */
import { STATUS_CODES } from "node:http"
import type { HttpResponse } from "uWebSockets.js"

export type HeaderList = ReadonlyArray<readonly [name: string, value: string]>

export const writeHead = (res: HttpResponse, status: number, headers: HeaderList): void => {
  res.writeStatus(statusLine(status))
  for (const [name, value] of headers) res.writeHeader(name, value)
}

const lines = new Map<number, string>()

const statusLine = (status: number): string => {
  const known = lines.get(status)
  if (known !== undefined) return known
  // Node names all that are answered here but 529, which is a provider's.
  const line = `${status} ${STATUS_CODES[status] ?? "Overloaded"}`
  lines.set(status, line)
  return line
}
