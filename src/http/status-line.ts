/** Status codes with their reasons, as the status line has them. */
import { STATUS_CODES } from "node:http"

const lines = new Map<number, string>()

export const statusLine = (status: number): string => {
  const known = lines.get(status)
  if (known !== undefined) return known
  const line = `${status} ${STATUS_CODES[status] ?? "Unknown"}`
  lines.set(status, line)
  return line
}
