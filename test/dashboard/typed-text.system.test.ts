/** Names, addresses and passwords are the same, however a keyboard or a system writes their letters. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll, vi } from "vitest"
import { isOwnEmail } from "../../src/domain/typed-text.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { signUpPerson, TestPerson, testPassword } from "./TestPerson.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard

beforeAll(async () => {
  dashboard = await startTestDashboard()
})
afterAll(() => dashboard.stop())

const newcomer = (email: string) => new TestPerson(dashboard).signUp(email)

describe("what people type of themselves", () => {
  it("is kept in one form when they sign up", async () => {
    await signUpPerson(
      dashboard,
      " Ke\u00adtoan@khach.example\u200b",
      ` ${"Đỗ Thị Ế".normalize("NFD")}\u00a0`
    )
    const [person] = await dashboard.sql`select name, email from people`
    assert.deepStrictEqual({ ...person }, { name: "Đỗ Thị Ế", email: "ketoan@khach.example" })
    assert.strictEqual((await newcomer("ketoan@khach.example")).status, 422)
    assert.strictEqual((await new TestPerson(dashboard).signIn("KETOAN@khach.example\u200b")).status, 200)
  })

  it("is the same password, composed or not", async () => {
    const [email, password] = ["mat.khau@khach.example", "Mật khẩu của tôi"]
    const body = { email, name: "Lan", password: password.normalize("NFD") }
    assert.strictEqual((await new TestPerson(dashboard).post(`${api}/auth/sign-up/email`, body)).status, 200)
    assert.strictEqual((await new TestPerson(dashboard).signIn(email, password)).status, 200)
  })

  it("is not read to its end where it is far too long", async () => {
    const long = `a${"\u0300\u0323".repeat(10_000)}`
    const person = await signUpPerson(dashboard, "dai@khach.example")
    const auth = `${api}/auth`
    const bodies = [
      ["/sign-in/email", { email: `${long}@b.vn`, password: testPassword }],
      ["/sign-in/email", { email: "dai@khach.example", password: long }],
      ["/sign-up/email", { email: "dai2@khach.example", name: long, password: testPassword }],
      ["/sign-up/email", { email: "dai2@khach.example", name: "Lan", password: long }],
      ["/change-password", { currentPassword: long, newPassword: `${testPassword}2` }],
      ["/two-factor/enable", { password: long }]
    ] as const
    const lengths: Array<number> = []
    const spy = vi.spyOn(String.prototype, "normalize").mockImplementation(function (this: string) {
      lengths.push(this.length)
      return String(this)
    })
    try {
      for (const [action, body] of bodies)
        assert.isAtLeast((await person.post(auth + action, body)).status, 400, action)
      assert.strictEqual(
        (await person.post(`${api}/tokens`, { name: "a", scopes: [], days: 1, password: long })).status,
        400
      )
    } finally {
      spy.mockRestore()
    }
    assert.isNotEmpty(lengths)
    assert.isAtMost(Math.max(...lengths), 1_000)
  })

  it("becomes no address that one can not sign in with", async () => {
    const person = await signUpPerson(dashboard, "tu@khach.example")
    const change = (email: string) => person.post(`${api}/person/email`, { email, password: testPassword })
    for (const email of [
      "từ@khach.example",
      "tu@khách.example",
      "tu&co@khach.example",
      "tu..a@khach.example"
    ]) {
      assert.strictEqual((await newcomer(email)).status, 400, email)
      assert.strictEqual((await change(email)).status, 400, email)
      assert.isFalse(isOwnEmail(email))
    }
    for (const email of ["tu.a'b+c-d_e@khach.example", "Tu2@a-b.khach.example", "tu3@khach.example\u200b"]) {
      assert.strictEqual((await change(email)).status, 200, email)
      assert.strictEqual((await new TestPerson(dashboard).signIn(email)).status, 200, email)
    }
  })

  it("invites to no address that nobody could sign in with", async () => {
    const person = await signUpPerson(dashboard, "chu@khach.example")
    const invite = (email: string) => person.post(`${api}/invitations`, { email, role: "member" })
    assert.strictEqual((await invite("mới@khach.example")).status, 400)
    const { link } = (await invite("Moi@khach.example\u200b")).body
    const newcomer = await signUpPerson(dashboard, "moi@khach.example")
    const token = new URL(link).searchParams.get("token")
    assert.strictEqual((await newcomer.post(`${api}/invitations/accept`, { token })).status, 200)
  })

  it("goes to the address that was meant", async () => {
    const person = await signUpPerson(dashboard, "hoa.don@khach.example")
    const details = { company: "", tax_code: "", address: "", email: "ketoan@khach.example\u200b" }
    const answer = await person.post(`${api}/billing`, details)
    assert.strictEqual(answer.body.details.email, "ketoan@khach.example")
  })
})
