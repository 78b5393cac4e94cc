/** The headers of an answer, as they are told. */
import { assert, describe, it } from "@effect/vitest"
import { AnswerReader } from "../../../src/upstream/http1/AnswerReader.ts"

const head = (lines: string) => `HTTP/1.1 200 OK\r\n${lines}\r\n`

describe("an answer", () => {
  it("has headers of any name, and none that it was not given", () => {
    const given = "__proto__: x\r\nconstructor: y\r\ntoString: z\r\n__proto__: w\r\ncontent-length: 0\r\n"
    const headers = new AnswerReader().read(Buffer.from(head(given))).head!.headers
    assert.deepStrictEqual(Object.entries(headers), [
      ["__proto__", "x, w"],
      ["constructor", "y"],
      ["tostring", "z"],
      ["content-length", "0"]
    ])
    for (const name of ["hasOwnProperty", "valueOf"]) assert.isUndefined(headers[name])
  })

  it("has a value that went on in the next line whole", () => {
    const given = "a: b \r\n\t c\r\ncontent-length: 0\r\n"
    assert.strictEqual(new AnswerReader().read(Buffer.from(head(given))).head!.headers["a"], "b  c")
  })

  it("has its headers under small names, those that come twice as one", () => {
    const { head: found } = new AnswerReader().read(
      Buffer.from(head("Retry-After:  7 \r\nvary: a\r\nVary: b\r\nempty:\r\ncontent-length: 0\r\n"))
    )
    assert.deepStrictEqual(
      { ...found?.headers },
      {
        "retry-after": "7",
        vary: "a, b",
        empty: "",
        "content-length": "0"
      }
    )
  })
})
