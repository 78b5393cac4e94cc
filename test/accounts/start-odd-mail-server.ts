/** A mail server that answers as a test says, and keeps every line that it is told. */
import { createServer, type Socket } from "node:net"
import { onTestFinished } from "vitest"
import { listen } from "../listen.ts"

/** To a command, by its first word. */
type Answers = Readonly<Record<string, string | ((socket: Socket) => void)>>

const usual: Answers = { EHLO: "250-mail.test\r\n250 AUTH PLAIN", DATA: "354 go on", QUIT: "221 bye" }

export const startOddServer = async (answers: Answers = {}) => {
  const said: Array<string> = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let isBody = false
    socket.on("error", () => {}).on("close", () => sockets.delete(socket))
    socket.on("data", (data) => {
      for (const line of data.toString().split("\r\n").slice(0, -1)) {
        said.push(line)
        if (isBody && line !== ".") continue
        const command = line.split(/[ :]/)[0]!.toUpperCase()
        isBody = command === "DATA"
        const answer = { ...usual, ...answers }[command] ?? "250 ok"
        if (typeof answer === "function") answer(socket)
        else socket.write(`${answer}\r\n`)
      }
    })
    socket.write("220 mail.test ESMTP\r\n")
  })
  const port = await listen(server)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port, said }
}
