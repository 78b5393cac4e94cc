/** The price commands, as people and programs run them. */
import { assert, describe, it } from "@effect/vitest"
import { dayText, startOfDay, vietnamText } from "../../src/domain/vietnam-days.ts"
import { useCommands } from "./use-commands.ts"

const commands = useCommands()
const run = (args: string) => commands.run("price", ...args.split(" "))
const json = (args: string) => commands.json("price", ...args.split(" "))

const model = "gpt-5.5"
const change = (former_vnd: number, price_vnd: number | null) => ({ model, former_vnd, price_vnd })

describe("tollgate price", () => {
  it("sets a price as people and programs write it, and takes the catalogue's again", async () => {
    const set = await run(`set ${model} 13.000`)
    assert.deepStrictEqual(set.stdout, `MODEL    VND\n${model}  2,400 → 13,000\nIn force now\n`)
    assert.deepStrictEqual(await json(`set ${model} 2500`), {
      from: null,
      preview: false,
      changes: [change(13_000, 2_500)]
    })
    const [shown] = await json(`list ${model}`)
    assert.deepInclude(shown, { price_vnd: 2_500, catalogue_vnd: 2_400, unit: "mtok", later: [] })
    assert.deepStrictEqual((await json(`set ${model} catalogue`)).changes, [change(2_500, null)])
    const [again] = await json(`list ${model}`)
    assert.deepInclude(again, { price_vnd: 2_400, is_sold: true })
  })

  it("raises and lowers prices by a percentage from a day on, shown before it, and cancels it", async () => {
    const tomorrow = startOfDay(Date.now()) + 2 * 86_400_000
    const from = new Date(tomorrow).toISOString()
    const raise = `raise 10% --models ${model} --from ${dayText(tomorrow)}`
    assert.deepStrictEqual(await json(`${raise} --preview`), {
      from,
      preview: true,
      changes: [change(2_400, 2_640)]
    })
    const [before] = await json(`list ${model}`)
    assert.deepStrictEqual(before.later, [])
    const raised = await run(raise)
    assert.deepStrictEqual(
      raised.stdout,
      `MODEL    VND\n${model}  2,400 → 2,640\nIn force from ${vietnamText(tomorrow)} in Viet Nam\n`
    )
    const [coming] = await json(`list ${model}`)
    assert.deepInclude(coming, { price_vnd: 2_400, later: [{ from, price_vnd: 2_640 }] })
    const [entry] = await json(`history ${model}`)
    assert.deepInclude(entry, {
      ...change(2_400, 2_640),
      unit: "mtok",
      from,
      made_by: "cli",
      state: "waiting"
    })
    assert.strictEqual((await json(`cancel ${entry.change_id}`)).state, "cancelled")
    assert.strictEqual((await json(`cancel ${entry.change_id}`)).state, "cancelled")
    const lowered = await json("lower 5,5 --models claude-opus-*,gpt-5.5")
    assert.include(JSON.stringify(lowered.changes), JSON.stringify(change(2_400, 2_268)))
    assert.isAbove(lowered.changes.length, 1)
    const { stdout } = await run("list claude-opus-* gpt-5.5")
    assert.strictEqual(stdout.trimEnd().split("\n").length, lowered.changes.length + 1)
  })

  it("refuses what is no price, no percentage, no day and no model", async () => {
    const cases = [
      ["raise ten", 2, "a percentage above 0"],
      ["lower 100 --models gpt-5.5", 1, "The price is refused"],
      ["raise 10 --models none-*", 1, "There is no model none-*"],
      ["raise 10 --from yesterday", 2, "a day such as"],
      ["raise 10 --from 2020-01-01", 1, "within the coming year"],
      ["set gpt-5.5 0.5", 2, "whole dong"],
      ["set gpt-5.5 13.500 --json", 2, "whole dong"],
      ["set no-such-model 1", 1, "There is no model no-such-model"],
      ["cancel none", 1, "There is no price change none"]
    ] as const
    for (const [args, status, said] of cases) {
      const answered = await run(args)
      assert.deepStrictEqual([args, answered.status], [args, status])
      assert.include(answered.stderr, said)
    }
  })
})
