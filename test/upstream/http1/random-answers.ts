/** Answers by chance: sound ones, and such as bytes that matter to the protocol were put in, taken out, or put in place of others. */
import type { Random } from "../../Random.ts"

const statuses = ["200 OK", "429 Too Many Requests", "500", "204 No Content", "304 Not Modified"]
const event = 'data: {"x":1}\r\n\r\n0\r\n\r\n'

export const soundAnswer = (random: Random): string => {
  const body = event.repeat(random.below(4))
  const status = random.pick(statuses)
  const interim = "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n".repeat(
    random.chance(0.2) ? 1 + random.below(3) : 0
  )
  const start = `${interim}HTTP/1.1 ${status}\r\ncontent-type: text/plain\r\n`
  if (/^[23]04/.test(status)) return `${start}\r\n`
  if (random.chance(0.2)) return `${start}connection: close\r\n\r\n${body}`
  if (random.chance(0.4)) return `${start}Content-Length: ${body.length}\r\n\r\n${body}`
  const middle = random.below(body.length + 1)
  const chunks = chunk(body.slice(0, middle), random) + chunk(body.slice(middle), random)
  const [extension, trailer] = [random.chance(0.2) ? ";a=b" : "", random.chance(0.2) ? "checksum: 1\r\n" : ""]
  return `${start}Transfer-Encoding: chunked\r\n\r\n${chunks}0${extension}\r\n${trailer}\r\n`
}

const chunk = (data: string, random: Random): string =>
  data === "" ? "" : `${"0".repeat(random.below(20))}${data.length.toString(16)}\r\n${data}\r\n`

const bytesThatMatter = [
  ..."\r\n 05a:,;\0\t-\xff",
  "\r\n",
  "\r\n ",
  "chunked",
  "gzip, ",
  '="',
  "content-length: 5\r\n",
  "transfer-encoding: chunked\r\n",
  "HTTP/1.1 200 OK\r\n\r\n"
]

export const spoilt = (text: string, random: Random): string => {
  const place = random.below(text.length + 1)
  const put = random.chance(0.3) ? "" : random.pick(bytesThatMatter)
  return text.slice(0, place) + put + text.slice(place + random.below(3))
}
