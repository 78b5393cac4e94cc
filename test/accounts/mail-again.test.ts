/** Mail that a server does not take for now. */
import { assert, it } from "vitest"
import { MailAgain } from "../../src/accounts/mail-again.ts"
import { MailNotSent } from "../../src/accounts/send-mail.ts"
import { until } from "../until.ts"

const refusedBy = (responseCode: number) => new MailNotSent({ responseCode })

const attemptsOf = (...endings: ReadonlyArray<MailNotSent | undefined>) => {
  const left = [...endings]
  const attempts = { made: 0, make: async () => {} }
  attempts.make = async () => {
    attempts.made += 1
    const ending = left.shift()
    if (ending !== undefined) throw ending
  }
  return attempts
}

const always = async () => true

const failureOf = (sent: Promise<void>) => sent.then(() => undefined, String)

it("is tried again until it is taken, and the first refusal is told", async () => {
  const attempts = attemptsOf(refusedBy(450), new MailNotSent({ code: "ETIMEDOUT" }))
  assert.include(await failureOf(new MailAgain([1, 1, 1, 1]).send(attempts.make, always)), "SMTP 450")
  await until(() => attempts.made === 3)
})

it("is not tried again where it is refused for good, at first or later", async () => {
  const [first, later, last] = [
    attemptsOf(refusedBy(550)),
    attemptsOf(refusedBy(451), refusedBy(554)),
    attemptsOf(refusedBy(451))
  ]
  const again = new MailAgain([1, 1, 1])
  await failureOf(again.send(first.make, always))
  await failureOf(again.send(later.make, always))
  await until(() => later.made === 2)
  await failureOf(again.send(last.make, always))
  await until(() => last.made === 2)
  assert.deepStrictEqual([first.made, later.made], [1, 2])
})

it("is not tried again when nobody wants it any more, nor when the node ends", async () => {
  const [unwanted, ended, last] = [
    attemptsOf(refusedBy(450)),
    attemptsOf(refusedBy(450)),
    attemptsOf(refusedBy(450))
  ]
  const again = new MailAgain([20])
  await failureOf(new MailAgain([1]).send(unwanted.make, async () => false))
  await failureOf(again.send(ended.make, always))
  again.close()
  await failureOf(new MailAgain([60]).send(last.make, always))
  await until(() => last.made === 2)
  assert.deepStrictEqual([unwanted.made, ended.made], [1, 1])
})
