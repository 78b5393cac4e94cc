/** Members are found in bytes and changed, and every other byte stays. */
import { assert, describe, it } from "@effect/vitest"
import { elementsOf, readMember, scanMembers, scanWithin } from "../../../src/formats/json/scan.ts"
import {
  addMember,
  type Edit,
  removeMembers,
  replaceValue,
  splice,
  spliceObject
} from "../../../src/formats/json/splice.ts"
import { Random } from "../../Random.ts"

const scan = (text: string) => scanMembers(Buffer.from(text))
const edited = (
  text: string,
  edits: (members: NonNullable<ReturnType<typeof scan>>) => ReadonlyArray<Edit>
) => splice(Buffer.from(text), edits(scan(text)!)).toString()

describe("the members of an object", () => {
  it("are found with their bytes, whatever stands in them", () => {
    const text = ` { "a" : 1e5 , "b\\u0041":"x\\"}\\\\" ,"c":[{"d":"]"},[]],"a":{"e":{}} , "":null,"ệ":true } `
    const bytes = Buffer.from(text)
    const members = scanMembers(bytes)!
    assert.deepStrictEqual(
      members.map(({ name, valueEnd, valueStart }) => [name, bytes.toString("utf8", valueStart, valueEnd)]),
      [
        ["a", "1e5"],
        ["bA", '"x\\"}\\\\"'],
        ["c", '[{"d":"]"},[]]'],
        ["a", '{"e":{}}'],
        ["", "null"],
        ["ệ", "true"]
      ]
    )
    assert.deepStrictEqual(readMember(bytes, members, "a"), { e: {} })
    assert.strictEqual(readMember(bytes, members, "z"), undefined)
    assert.deepStrictEqual(scan("{}"), [])
  })

  it.each([
    "",
    "[]",
    "1",
    "null",
    "{",
    "}",
    '{"a"}',
    '{"a":}',
    '{"a":1',
    '{"a":"x}',
    '{"a":[1}',
    '{"a":1,}',
    '{"a":1}}',
    '{"a":1} x',
    "{a:1}",
    '{"a" 1}',
    '{"a\\x":1}',
    '{"a":1 "b":2}'
  ])("are not made up where there is no whole object: %s", (text) => {
    const found = scan(text)
    if (found === undefined) return
    // Brackets of the wrong kind are for the parser to refuse.
    assert.throws(() => JSON.parse(text) as unknown)
  })
})

describe("an object within bounds", () => {
  const bounds = { members: 3, values: 10, levels: 4 }
  const within = (text: string) => scanWithin(Buffer.from(text), bounds)

  it.each([
    ['{"a":1,"b":2,"c":3}', undefined],
    ['{"a":1,"b":2,"c":3,"d":4}', "members"],
    ['{"a":[[[]]]}', undefined],
    ['{"a":[[[[]]]]}', "levels"],
    ['{"a":{"b":{"c":{}}}}', undefined],
    ['{"a":{"b":{"c":{"d":{}}}}}', "levels"],
    ['{"a":[1,2,3,4,5,6,7,8]}', undefined],
    ['{"a":[1,2,3,4,5,6,7,8,9]}', "values"],
    ['{"a":[{},{},{},[],[],[],{},{}]}', undefined],
    ['{"a":[{},{},{},[],[],[],{},{},{}]}', "values"],
    ['{"a":",,,,,,,,,,[[[[[[{{{{{{"}', undefined]
  ])("%s: exceeds %s", (text, excess) => {
    const found = within(text)
    if (excess === undefined) assert.deepStrictEqual(found, scan(text))
    else assert.strictEqual<unknown>(found, excess)
  })

  it("is not read on once one of them is exceeded, nor taken for one when it is none", () => {
    assert.strictEqual(within(`{"a":${"[".repeat(100_000)}`), "levels")
    assert.strictEqual(within(`{"a":[${"0,".repeat(100_000)}`), "values")
    assert.strictEqual(within(`${'{"a":0,"b":0,"c":0'},"d`), "members")
    assert.strictEqual(within('{"a":[1,2'), undefined)
    assert.strictEqual(within("[1,2,3]"), undefined)
  })

  it("counts the values that a parser would make", () => {
    const random = new Random(7)
    const make = (levels: number): unknown => {
      const size = random.below(4)
      const kind = levels === 0 ? 0 : random.below(3)
      if (kind === 0) return random.pick([1, "a,[{", null, true, ""])
      if (kind === 1) return Array.from({ length: size }, () => make(levels - 1))
      return Object.fromEntries(Array.from({ length: size }, (_, index) => [`${index},{`, make(levels - 1)]))
    }
    const count = (value: unknown): number =>
      typeof value === "object" && value !== null
        ? Object.values(value).reduce<number>((sum, each) => sum + count(each), 1)
        : 1
    for (let round = 0; round < 200; round++) {
      const value = { a: make(4), b: make(4) }
      const bytes = Buffer.from(JSON.stringify(value))
      const values = count(value)
      assert.isArray(scanWithin(bytes, { members: 2, values, levels: 9 }))
      assert.strictEqual(scanWithin(bytes, { members: 2, values: values - 1, levels: 9 }), "values")
    }
  })
})

describe("edits", () => {
  const text = '{ "model" : "a", "n":1.0,"model":"b" ,"x":[ 1 ] }'

  it("replace every member of a name and nothing else", () => {
    assert.strictEqual(
      edited(text, (members) => replaceValue(members, "model", '"c"')),
      '{ "model" : "c", "n":1.0,"model":"c" ,"x":[ 1 ] }'
    )
    assert.strictEqual(
      edited(text, (members) => [addMember(members, "new", "true")]),
      '{ "new":true,"model" : "a", "n":1.0,"model":"b" ,"x":[ 1 ] }'
    )
    assert.strictEqual(
      edited("{ }", (members) => [addMember(members, "new", "1")]),
      '{"new":1 }'
    )
    assert.strictEqual(
      edited(text, () => []),
      text
    )
  })

  it("leave a whole object behind, whichever members are taken out", () => {
    const names = ["a", "b", "c", "a", "d"]
    for (let kept = 0; kept < 2 ** names.length; kept++) {
      const marked = names.map((name, index) => ((kept >> index) & 1 ? name : "gone"))
      const written = `{ ${marked.map((name, index) => `"${name}" : ${index}`).join(" , ")} }`
      const left = JSON.parse(
        edited(written, (members) => removeMembers(members, ({ name }) => name === "gone"))
      ) as Record<string, number>
      const expected = Object.fromEntries(
        marked.flatMap((name, index) => (name === "gone" ? [] : [[name, index]]))
      )
      assert.deepStrictEqual(left, expected)
    }
  })

  it("agree with parsing and writing anew, for any object", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = new Random(seed)
      const value = () =>
        random.pick<unknown>([
          1,
          -2.5,
          'a"\\{}[],:',
          "ệ😀",
          null,
          true,
          [],
          [1, "]", { a: "}" }],
          {},
          { b: [[]] }
        ])
      const object = Object.fromEntries(
        Array.from({ length: random.below(6) }, () => [random.pick(["a", "b", "c\n", 'd"', ""]), value()])
      )
      const written = JSON.stringify(object, undefined, random.pick([0, 1, "\t"]))
      const name = random.pick(["a", "b", "c\n"])
      const members = scan(written)!
      assert.deepStrictEqual(
        members.map((member) => member.name),
        Object.keys(object)
      )
      const { [name]: _, ...without } = object
      const bytes = Buffer.from(written)
      assert.deepStrictEqual(
        JSON.parse(
          splice(
            bytes,
            removeMembers(members, (member) => member.name === name)
          ).toString()
        ),
        without
      )
      assert.deepStrictEqual(JSON.parse(splice(bytes, [addMember(members, "new", "[1]")]).toString()), {
        new: [1],
        ...object
      })
      const replaced = JSON.parse(splice(bytes, replaceValue(members, name, "5")).toString()) as unknown
      assert.deepStrictEqual(replaced, Object.hasOwn(object, name) ? { ...object, [name]: 5 } : object)
      for (const edits of [
        removeMembers(members, (member) => member.name === name),
        [addMember(members, "new", "[1]"), ...replaceValue(members, name, '"longer than it was"')],
        members.map(({ valueStart }) => ({ start: valueStart, end: valueStart, text: " " })),
        members.flatMap(({ valueStart }) =>
          "{[".includes(written[valueStart]!)
            ? [{ start: valueStart + 1, end: valueStart + 1, text: " " }]
            : []
        )
      ]) {
        const object = spliceObject({ bytes, members }, edits)
        assert.deepStrictEqual(object.bytes, splice(bytes, edits))
        assert.deepStrictEqual(object.members, scanMembers(object.bytes))
      }
    }
  })
})

describe("the elements of an array", () => {
  it.each([
    ["[]", 0],
    ["[ ]", 0],
    ["[1]", 1],
    ['[{"a":[1,2]},"],[", [] ]', 3],
    ["[1", undefined],
    ["{}", undefined],
    ["[1 2]", undefined]
  ])("of %s are %s", (text, count) => {
    assert.strictEqual(elementsOf(Buffer.from(text), 0, 10)?.length, count)
  })
})
