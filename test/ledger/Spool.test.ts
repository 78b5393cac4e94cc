import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import type { CallRecord } from "../../src/domain/call.ts"
import type { AccountId, KeyId } from "../../src/domain/ids.ts"
import { packRecord } from "../../src/ledger/pack-record.ts"
import { Spool } from "../../src/ledger/journal/Spool.ts"
import { callRecord, newCallId } from "./call-record.ts"

const customer = { accountId: "acc_1" as AccountId, keyId: "key_1" as KeyId }
const records = (count: number): ReadonlyArray<CallRecord> =>
  Array.from({ length: count }, (_, index) => callRecord(customer, newCallId(), 10n ** 15n + BigInt(index)))

const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-spool-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
const fileIn = (folder: string) => join(folder, "spool", readdirSync(join(folder, "spool"))[0]!)
const readBack = (folder: string) => new Spool(folder, 2).leftBehind().records

describe("Spool", () => {
  it("gives back what was put in, to the micro-dong, and nothing once it is cleared", () => {
    const folder = newFolder()
    const spool = new Spool(folder, 1)
    const all = [
      ...records(3),
      { ...records(1)[0]!, storedIdHash: new Uint8Array([1, 2, 3]), firstByteMs: 5 }
    ]
    spool.append(all.slice(0, 2))
    spool.append(all.slice(2))
    const plain = (record: CallRecord) => [
      ...packRecord(record).slice(0, -3),
      Buffer.from(record.storedIdHash ?? "")
    ]
    assert.deepStrictEqual(readBack(folder).map(plain), all.map(plain))
    spool.clear()
    assert.deepStrictEqual(readBack(folder), [])
    spool.append(all.slice(0, 1))
    assert.lengthOf(readBack(folder), 1)
  })

  it("keeps what a former process left behind that started at the same date", () => {
    const folder = newFolder()
    const [one, other] = [records(2), records(3)]
    new Spool(folder, 1).append(one)
    const spool = new Spool(folder, 1)
    const left = spool.leftBehind()
    spool.append(other)
    const ids = (all: ReadonlyArray<CallRecord>) => all.map(({ callId }) => callId).sort()
    assert.deepStrictEqual(ids(readBack(folder)), ids([...one, ...other]))
    left.forget()
    assert.deepStrictEqual(ids(readBack(folder)), ids(other))
  })

  it("leaves out a torn end, wherever it was torn, and keeps everything before it", () => {
    const folder = newFolder()
    const all = records(3)
    new Spool(folder, 1).append(all)
    const path = fileIn(folder)
    const whole = readFileSync(path)
    const oneBytes = whole.byteLength / 3
    for (let length = whole.byteLength; length >= 0; length -= 7) {
      writeFileSync(path, whole)
      truncateSync(path, length)
      const kept = readBack(folder).map(({ callId }) => callId)
      assert.deepStrictEqual(
        kept,
        all.slice(0, Math.floor(length / oneBytes)).map(({ callId }) => callId)
      )
    }
  })

  it("leaves out everything from the first damaged record on", () => {
    const folder = newFolder()
    new Spool(folder, 1).append(records(3))
    const path = fileIn(folder)
    const bytes = readFileSync(path)
    bytes[Math.floor(bytes.byteLength / 2)]! ^= 1
    writeFileSync(path, bytes)
    assert.lengthOf(readBack(folder), 1)
  })

  it.skipIf(!canMount())(
    "throws on a full disk, and what comes after finds its place once there is room",
    () => {
      const folder = newFolder()
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=16k", "tmpfs", folder])
      onTestFinished(() => void execFileSync("umount", ["-l", folder]))
      const spool = new Spool(folder, 1)
      const filler = join(folder, "filler")
      const all = records(200)
      spool.append(all.slice(0, 2))
      writeFileSync(filler, Buffer.alloc(8_192))
      assert.throws(() => spool.append(all.slice(2)), /ENOSPC/)
      rmSync(filler)
      spool.append(all.slice(2, 4))
      assert.deepStrictEqual(
        readBack(folder).map(({ callId }) => callId),
        all.slice(0, 4).map(({ callId }) => callId)
      )
    }
  )
})

/** Only where the test may mount a file system can a disk be full. */
function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-mount-"))
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=16k", "tmpfs", folder], { stdio: "ignore" })
    execFileSync("umount", [folder])
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
