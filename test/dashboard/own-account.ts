/** What the pages tell somebody of themselves. */
import type { AccountId } from "../../src/domain/ids.ts"
import type { TestPerson } from "./TestPerson.ts"

/** Who they are signed in as; undefined where they are not. */
export const personOf = async (person: TestPerson) => {
  const { body, status, text } = await person.get("/dashboard/api/session")
  if (status !== 200) throw new Error(`the session answered ${status}: ${text}`)
  return body.person
}

/** The account of their own. */
export const accountOf = async (person: TestPerson): Promise<AccountId> => (await personOf(person)).account_id

export const balanceVndOf = async (person: TestPerson): Promise<string> =>
  (await person.get("/dashboard/api/overview")).body.balance_vnd
