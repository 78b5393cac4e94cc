/** A dashboard whose customers are told of everything, by mail and by webhook. */
import { lookAtAccounts } from "../../src/alerts/look-at-accounts.ts"
import { alertKinds } from "../../src/domain/alert-kinds.ts"
import { JobQueue } from "../../src/storage/jobs/JobQueue.ts"
import { steadyMs } from "../../src/telemetry/steady-clock.ts"
import { sampleCall, writeCalls } from "../browser/sample-data.ts"
import { startTestDashboard } from "../dashboard/start-dashboard.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpPerson, tellTransfer, type TestPerson } from "../dashboard/TestPerson.ts"
import { startReceiver } from "./receive-webhooks.ts"
import { startMailServer } from "./start-mail-server.ts"
import { until } from "../until.ts"

const api = "/dashboard/api"

export interface Customer {
  readonly person: TestPerson
  readonly accountId: string
  readonly webhook: { readonly id: string; readonly secret: string }
}

export type AlertTests = Awaited<ReturnType<typeof startAlertTests>>

export const startAlertTests = async () => {
  const mail = await startMailServer()
  const receiver = await startReceiver()
  const dashboard = await startTestDashboard({
    environment: { SMTP_URL: mail.url, SMTP_FROM: "Tollgate <tollgate@example.vn>" },
    change: (settings) => ({ ...settings, webhooks: { privateRanges: ["127.0.0.1"] } })
  })
  const queue = await JobQueue.open({ databaseUrl: dashboard.databaseUrl, warn: () => {}, steadyMs })
  let transfers = 0
  return {
    mail,
    receiver,
    dashboard,
    look: (callTimeoutSeconds = 900) => lookAtAccounts(queue, { sendsMail: true, callTimeoutSeconds }),

    openCustomer: async (email: string, kinds: ReadonlyArray<string> = alertKinds): Promise<Customer> => {
      const person = await signUpPerson(dashboard, email)
      const accountId = await accountOf(person)
      const webhook = (await person.post(`${api}/alerts/webhooks`, { url: receiver.url, kinds })).body
      return { person, accountId, webhook }
    },

    topUp: async (person: TestPerson, amount: number) => {
      const { code } = (await person.post(`${api}/top-ups`, { amount })).body
      await tellTransfer(dashboard, { id: `t${++transfers}`, content: code, transferAmount: amount })
    },

    spend: (accountId: string, vnd: number, keyId = "key_x", more: object = {}) =>
      writeCalls(dashboard.databaseUrl, [
        { ...sampleCall(accountId, keyId, 1, Date.now()), cost: BigInt(vnd) * 1_000_000n, ...more }
      ]),

    /** Of this customer, by kind. */
    of: (customer: Customer, kind: string) =>
      receiver.received.filter(({ json }) => json.account_id === customer.accountId && json.type === kind),

    /** Waits until all that was raised for them has been delivered. */
    settle: ({ accountId }: Customer) =>
      until(async () => {
        const pending = await dashboard.sql`
          select from alert_deliveries where account_id = ${accountId} and status = 'pending'`
        return pending.length === 0
      }, 60),

    stop: async () => {
      await queue.close()
      await dashboard.stop()
      receiver.stop()
      mail.stop()
    }
  }
}
