/** Someone at a browser, without the browser: keeps cookies and asks from the dashboard's own pages. */
import { createHmac } from "node:crypto"
import type { StaffRole } from "../../src/domain/staff-roles.ts"
import type { TestDashboard } from "./start-dashboard.ts"
import { type SepayEvent, sepayBody } from "./sepay-event.ts"
import { webhookSecret } from "./start-dashboard.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- The shape is what the tests are about.
  readonly body: any
  readonly text: string
}

export const testPassword = "correct horse battery"

export class TestPerson {
  readonly #dashboard: Pick<TestDashboard, "url">
  readonly #cookies = new Map<string, string>()

  constructor(dashboard: Pick<TestDashboard, "url">) {
    this.#dashboard = dashboard
  }

  get cookie() {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  }

  setCookie(name: string, value: string) {
    this.#cookies.set(name, value)
  }

  get(path: string, headers: Record<string, string> = {}) {
    return this.#ask("GET", path, headers)
  }

  post(path: string, body: unknown = {}, headers: Record<string, string> = {}) {
    return this.#ask(
      "POST",
      path,
      { origin: this.#dashboard.url, "content-type": "application/json", ...headers },
      typeof body === "string" ? body : JSON.stringify(body)
    )
  }

  signUp(email: string, name = "Lan") {
    return this.post("/dashboard/api/auth/sign-up/email", { email, name, password: testPassword })
  }

  signIn(email: string, password = testPassword) {
    return this.post("/dashboard/api/auth/sign-in/email", { email, password })
  }

  async #ask(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
    const response = await fetch(`${this.#dashboard.url}${path}`, {
      method,
      headers: { ...(this.cookie !== "" && { cookie: this.cookie }), ...headers },
      redirect: "manual",
      ...(body !== undefined && { body })
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/max-age=0/i.test(line)) this.#cookies.delete(name!)
      else this.#cookies.set(name!, value!)
    }
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parse(text) }
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A person with an account of their own. */
export const signUpPerson = async (dashboard: Pick<TestDashboard, "url">, email: string, name?: string) => {
  const person = new TestPerson(dashboard)
  const answer = await person.signUp(email, name)
  if (answer.status !== 200) throw new Error(`sign-up answered ${answer.status}: ${answer.text}`)
  return person
}

export const signUpOperator = async (
  dashboard: Pick<TestDashboard, "url" | "sql">,
  email: string,
  name?: string,
  role: StaffRole = "owner"
) => {
  const person = await signUpPerson(dashboard, email, name)
  await dashboard.sql`update accounts set staff_role = ${role} where email = ${email}`
  return person
}

/** Sends what SePay sends; `when` is the signed time, in milliseconds. */
export const tellTransfer = (
  dashboard: Pick<TestDashboard, "url">,
  event: SepayEvent,
  { secret = webhookSecret, when = Date.now() } = {}
) => {
  const body = sepayBody(event)
  const timestamp = String(Math.floor(when / 1_000))
  const signature = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")
  return new TestPerson(dashboard).post("/webhooks/sepay", body, {
    "x-sepay-signature": `sha256=${signature}`,
    "x-sepay-timestamp": timestamp
  })
}
