/** People who act for accounts of others. */
import type { MemberRole } from "../../src/domain/member-roles.ts"
import type { TestDashboard } from "./start-dashboard.ts"
import { signUpPerson, type TestPerson } from "./TestPerson.ts"

const api = "/dashboard/api"

/** As the page sends it. */
export const actingFor = (accountId: string) => ({ "x-tollgate-account": accountId })

/** What stands in the link that whoever invites is shown. */
export const inviteTo = async (owner: TestPerson, email: string, role: MemberRole): Promise<string> => {
  const answer = await owner.post(`${api}/invitations`, { email, role })
  const token = /\/dashboard\/join\?token=([0-9A-Za-z]{40})$/.exec(answer.body?.link ?? "")?.[1]
  if (token === undefined) throw new Error(`no invitation: ${answer.status} ${answer.text}`)
  return token
}

/** Someone new with an account of their own, who besides has this role in the owner's. */
export const joinAccount = async (
  dashboard: TestDashboard,
  owner: TestPerson,
  email: string,
  role: MemberRole
): Promise<TestPerson> => {
  const token = await inviteTo(owner, email, role)
  const person = await signUpPerson(dashboard, email)
  const answer = await person.post(`${api}/invitations/accept`, { token })
  if (answer.status !== 200) throw new Error(`not accepted: ${answer.status} ${answer.text}`)
  return person
}
