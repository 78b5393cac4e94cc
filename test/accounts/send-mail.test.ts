/** Mail servers as they are in life: what they are told, and what is said of them where a mail does not go out. */
import type { Socket } from "node:net"
import { createServer as createSecure } from "node:tls"
import { assert, describe, it, onTestFinished } from "vitest"
import { MailNotSent, sendMail } from "../../src/accounts/send-mail.ts"
import { noProxies } from "../../src/config/choose-proxy.ts"
import { makeAuthority } from "../certificates.ts"
import { listen } from "../listen.ts"
import { startOddServer } from "./start-odd-mail-server.ts"
import { endProxiesAfterEach, startTestProxy } from "../outgoing/test-proxy.ts"

endProxiesAfterEach()

const mail = { to: "c@d.example", subject: "s", text: "t" }

const serverAt = (url: string, from = "tollgate@example.com") => ({ url, from, proxies: noProxies })

/** As the mail server of another machine. */
const elsewhere = async (url: string) => {
  const { url: proxy } = await startTestProxy()
  return { ...serverAt(url), proxies: { http: undefined, https: proxy, none: [] } }
}

const failureOf = (sent: Promise<void>): Promise<MailNotSent> =>
  sent.then(
    () => assert.fail("it was sent"),
    (cause: unknown) => {
      assert.instanceOf(cause, MailNotSent)
      return cause
    }
  )

describe("whom a mail comes from", () => {
  it.each([
    ["gate@example.com", "gate@example.com"],
    ["Gate <gate@example.com>", "Gate <gate@example.com>"],
    ["Gate: alerts <gate@example.com>", '"Gate: alerts" <gate@example.com>'],
    ["Gate (VN), Ltd. <gate@example.com>", '"Gate (VN), Ltd." <gate@example.com>'],
    ['"Gate, \\"VN\\"" <gate@example.com>', '"Gate, \\"VN\\"" <gate@example.com>'],
    ['"Gate <gate@example.com>', '"\\"Gate" <gate@example.com>']
  ])("%s is one sender with that name", async (from, header) => {
    const { port, said } = await startOddServer()
    await sendMail(serverAt(`smtp://127.0.0.1:${port}`, from), mail)
    assert.include(said, "MAIL FROM:<gate@example.com>")
    assert.include(said, `From: ${header}`)
  })
})

describe("a mail server's password", () => {
  const authOf = (said: ReadonlyArray<string>) => said.filter((line) => line.startsWith("AUTH"))

  it("is told to no server elsewhere that offers no TLS", async () => {
    const { port, said } = await startOddServer({ STARTTLS: "502 what" })
    const failure = await failureOf(sendMail(await elsewhere(`smtp://u:secret@mail.test:${port}`), mail))
    assert.strictEqual(failure.outcome, "no TLS")
    assert.deepStrictEqual([authOf(said), said.includes("STARTTLS")], [[], true])
  })

  it.each(["requireTLS=false", "ignoreTLS=true"])(
    "is, where the address of the server says %s",
    async (query) => {
      const { port, said } = await startOddServer()
      await sendMail(await elsewhere(`smtp://u:secret@mail.test:${port}/?${query}`), mail)
      assert.lengthOf(authOf(said), 1)
    }
  )

  it("is told to one of this machine", async () => {
    const { port, said } = await startOddServer()
    await sendMail(serverAt(`smtp://u:secret@127.0.0.1:${port}`), mail)
    assert.lengthOf(authOf(said), 1)
  })

  it("is not asked for where there is none, and nor is TLS", async () => {
    const { port, said } = await startOddServer()
    await sendMail(await elsewhere(`smtp://mail.test:${port}`), mail)
    assert.notInclude(said, "STARTTLS")
  })
})

it("TLS comes first at port 465, whatever the address begins with", async () => {
  const proxy = await startTestProxy()
  const first = new Promise<Buffer>((resolve) => {
    proxy.answer = (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n")
      socket.once("data", (bytes) => {
        resolve(bytes)
        socket.destroy()
      })
    }
  })
  const proxies = { http: undefined, https: proxy.url, none: [] }
  await failureOf(sendMail({ ...serverAt("smtp://mail.test:465"), proxies }, mail))
  assert.strictEqual((await first)[0], 0x16)
  assert.deepStrictEqual(proxy.asked, ["mail.test:465"])
})

describe("a mail that was not sent", () => {
  it("says why there was no connection", async () => {
    const server = createSecure(makeAuthority().issue("mail.test"), () => {})
    const port = await listen(server)
    onTestFinished(() => void server.close())
    const untrusted = await failureOf(sendMail(serverAt(`smtps://127.0.0.1:${port}`), mail))
    assert.match(untrusted.outcome, /CERT|SIGN/)
    assert.strictEqual(
      (await failureOf(sendMail(serverAt("smtp://127.0.0.1:1"), mail))).outcome,
      "ECONNREFUSED"
    )
  })

  it.each([
    ["550 5.1.1 unknown", true],
    ["550-5.1.1 The account\r\n550 5.1.1 does not exist", true],
    ["550 5.2.1 disabled", true],
    ["550 relay not permitted", false],
    ["554 5.7.1 relay access denied", false],
    ["553 5.1.8 the sender's domain", false],
    ["450 4.1.1 greylisted", false]
  ])("says of %j whether anybody has such an address", async (answer, isOfNobody) => {
    const { port } = await startOddServer({ RCPT: answer })
    const failure = await failureOf(sendMail(serverAt(`smtp://127.0.0.1:${port}`), mail))
    assert.deepStrictEqual([failure.outcome, failure.isOfNobody], [`SMTP ${answer.slice(0, 3)}`, isOfNobody])
  })

  it("is given up where the server goes on answering and never ends", async () => {
    const drip = (socket: Socket) => {
      const timer = setInterval(() => socket.write("250-wait\r\n"), 20)
      socket.on("close", () => clearInterval(timer))
    }
    const { port } = await startOddServer({ RCPT: drip })
    const patience = { silenceMsMax: 60_000, mailMsMax: 300 }
    const failure = await failureOf(sendMail(serverAt(`smtp://127.0.0.1:${port}`), mail, patience))
    assert.strictEqual(failure.outcome, "ETIMEDOUT")
  })
})
