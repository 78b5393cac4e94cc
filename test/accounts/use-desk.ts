/** A dashboard of the test's own, its customers, and what an operator does there with transfers. */
import { afterAll, beforeAll } from "vitest"
import type { AccountId } from "../../src/domain/ids.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { signUpOperator, signUpPerson, type TestPerson } from "../dashboard/TestPerson.ts"

export const api = "/dashboard/api"
export const operatorEmail = "ban-truc@example.com"

export interface Customer {
  readonly person: TestPerson
  readonly email: string
  readonly accountId: AccountId
}

export const useDesk = () => {
  let dashboard: TestDashboard
  let operator: TestPerson
  beforeAll(async () => {
    dashboard = await startTestDashboard()
    operator = await signUpOperator(dashboard, operatorEmail)
  })
  afterAll(() => dashboard.stop())
  let customers = 0
  const step = (transferId: string, name: string, body: object) =>
    operator.post(`${api}/operator/transfers/${transferId}/${name}`, { reason: "gán nhầm", ...body })
  return {
    dashboard: () => dashboard,
    operator: () => operator,
    newCustomer: async (): Promise<Customer> => {
      const email = `khach${++customers}@example.com`
      const person = await signUpPerson(dashboard, email)
      return { person, email, accountId: await accountOf(person) }
    },
    step,
    assign: (transferId: string, { email }: Customer) => step(transferId, "assign", { account: email }),
    takeBack: (transferId: string, { accountId }: Customer) =>
      step(transferId, "take-back", { account_id: accountId })
  }
}
