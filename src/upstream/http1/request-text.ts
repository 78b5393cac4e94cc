/** A request's head as text. */
import { headerName, headerValue } from "./header-syntax.ts"

/** From the origin on, with the query. */
const target = /^\/[\x21-\x7e]*$/

/** `undefined` where something in it could end a line or is no Latin-1, and so could be read as more than one request. */
export const requestText = (
  host: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  bodyBytes: number
): string | undefined => {
  if (!target.test(path)) return undefined
  // A signed request names its host itself.
  let lines = headers["host"] === undefined ? `host: ${host}\r\n` : ""
  for (const name in headers) {
    const value = headers[name]!
    if (!headerName.test(name) || !headerValue.test(value)) return undefined
    lines += `${name}: ${value}\r\n`
  }
  return `POST ${path} HTTP/1.1\r\n${lines}content-length: ${bodyBytes}\r\n\r\n`
}
