import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach } from "vitest"
import { announceServer, readRunningServer } from "../../src/storage/embedded/announce-server.ts"
import { identifyProcess } from "../../src/storage/embedded/identify-process.ts"
import { lockFolder } from "../../src/storage/embedded/lock-folder.ts"
import { hold, killHard, letGo, makeFolder } from "./child-process.ts"

let folder: string
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe("lockFolder", () => {
  it("refuses a folder in use by a live process in one line that names both", async () => {
    const holder = await hold("lock", folder)
    const error = await Effect.runPromise(Effect.flip(Effect.scoped(lockFolder(folder))))
    assert.strictEqual(
      error.message,
      `The data folder ${folder} is in use by process ${holder.child.pid}; stop it, or set DATA_DIR to another folder`
    )
    await letGo(holder)
  })

  it("is free again after its holder ended, and leaves nothing behind", async () => {
    const holder = await hold("lock", folder)
    await letGo(holder)
    await Effect.runPromise(Effect.scoped(lockFolder(folder)))
    assert.deepStrictEqual(readdirSync(folder), [])
  })

  it("is free again after its holder was killed", async () => {
    const holder = await hold("lock", folder)
    await killHard(holder)
    assert.isTrue(existsSync(join(folder, "tollgate.lock")))
    await Effect.runPromise(Effect.scoped(lockFolder(folder)))
  })

  it("does not take a process that merely has the number of a dead holder for it", async () => {
    writeFileSync(
      join(folder, "tollgate.lock"),
      JSON.stringify({ pid: process.pid, identity: "of another boot" })
    )
    await Effect.runPromise(Effect.scoped(lockFolder(folder)))
  })

  it("is refused where its holder runs in another container, whose numbers mean nothing here", async () => {
    const holder = await hold("lock", folder)
    const path = join(folder, "tollgate.lock")
    const lock = JSON.parse(readFileSync(path, "utf8")) as object
    const theirs = JSON.stringify({
      ...lock,
      pid: process.pid,
      identity: `${process.pid} in another container`
    })
    writeFileSync(path, theirs)
    const taken = Effect.scoped(lockFolder(folder))
    assert.strictEqual((await Effect.runPromise(Effect.flip(taken)))._tag, "FolderInUse")
    assert.strictEqual(readFileSync(path, "utf8"), theirs)
    await killHard(holder)
    await Effect.runPromise(taken)
    assert.deepStrictEqual(readdirSync(folder), [])
  })

  it("is taken also where its path is too long for a socket", async () => {
    const deep = join(folder, "a".repeat(120))
    const refused = Effect.andThen(lockFolder(deep), Effect.flip(lockFolder(deep)))
    assert.strictEqual((await Effect.runPromise(Effect.scoped(refused)))._tag, "FolderInUse")
    assert.deepStrictEqual(readdirSync(deep), [])
  })

  it("is refused to the holding process itself", async () => {
    const twice = Effect.andThen(lockFolder(folder), Effect.flip(lockFolder(folder)))
    assert.strictEqual((await Effect.runPromise(Effect.scoped(twice)))._tag, "FolderInUse")
    assert.isFalse(existsSync(join(folder, "tollgate.lock")))
  })

  it("goes to exactly one of several processes that find a stale lock at once", async () => {
    writeFileSync(join(folder, "tollgate.lock"), "{")
    const holders = await Promise.all(Array.from({ length: 5 }, () => hold("lock", folder)))
    assert.strictEqual(holders.filter(({ answer }) => answer === "held").length, 1)
    await Promise.all(holders.map(letGo))
  })

  it("makes a missing folder", async () => {
    const deep = join(folder, "a", "b")
    await Effect.runPromise(Effect.scoped(lockFolder(deep)))
    assert.isTrue(existsSync(deep))
  })
})

describe("announceServer", () => {
  const url = "postgres://tollgate:word@127.0.0.1:1/postgres"

  it("lets others find the server's database while it lives, readable by its owner alone", async () => {
    writeFileSync(join(folder, "server.json"), "old")
    chmodSync(join(folder, "server.json"), 0o644)
    const found = Effect.gen(function* () {
      yield* announceServer(folder, url)
      assert.strictEqual(statSync(join(folder, "server.json")).mode & 0o777, 0o600)
      return yield* readRunningServer(folder)
    })
    assert.deepStrictEqual(await Effect.runPromise(Effect.scoped(found)), {
      pid: process.pid,
      databaseUrl: url
    })
    assert.isUndefined(await Effect.runPromise(readRunningServer(folder)))
  })

  it.each(["", "{", "null", `{"pid":1}`])("finds no server in a file that holds %j", async (content) => {
    writeFileSync(join(folder, "server.json"), content)
    assert.isUndefined(await Effect.runPromise(readRunningServer(folder)))
  })

  it("finds no server that is dead, also when its number lives on in another process", async () => {
    const holder = await hold("lock", folder)
    const identity = identifyProcess(holder.child.pid!)
    const read = () => Effect.runPromise(readRunningServer(folder))
    const write = (pid: number) =>
      writeFileSync(join(folder, "server.json"), JSON.stringify({ pid, identity, databaseUrl: url }))
    write(holder.child.pid!)
    assert.isDefined(await read())
    await killHard(holder)
    assert.isUndefined(await read())
    write(process.pid)
    assert.isUndefined(await read())
  })
})
