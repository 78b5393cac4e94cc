/** What can not be mended ends the start: a status that is not 0, and one clear line. */
import { assert } from "@effect/vitest"
import { spawn } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, it } from "vitest"
import { startGateway } from "../gateway/start-gateway.ts"
import { mountDisk } from "../storage/mount-disk.ts"
import { startTestDatabase, type TestDatabase } from "../storage/start-database.ts"
import { withSql } from "../storage/with-sql.ts"
import { listen } from "../listen.ts"
import { serverEnvironment } from "./server-environment.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const node = join(root, "node_modules", ".bin", "node")

let folder: string
let database: TestDatabase
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-start-"))
  // PostgreSQL runs as another user where this one is root.
  chmodSync(folder, 0o755)
  database = await startTestDatabase()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database.stop()
})

const run = async (env: Record<string, string>) => {
  const child = spawn(node, ["src/main.ts", "serve"], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
    // One that starts after all must not outlive its test.
    timeout: 60_000,
    killSignal: "SIGKILL",
    env: { ...serverEnvironment({ dataDir: join(folder, "data"), databaseUrl: database.url }), ...env }
  })
  let errors = ""
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()))
  const [code] = (await once(child, "close")) as [number | null]
  return { code, errors }
}

const assertOneLine = ({ code, errors }: { code: number | null; errors: string }, says: RegExp) => {
  assert.strictEqual(code, 1, errors)
  // A loaded machine takes long enough to be told that the start goes on.
  const lines = errors
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith("Tollgate is starting"))
  assert.strictEqual(lines.length, 1, errors)
  assert.match(lines[0]!, /^tollgate: /)
  assert.match(lines[0]!, says)
  assert.notMatch(lines[0]!, /\bat .*:\d+:\d+/)
}

describe("a start that can not succeed", () => {
  it("says that the port is taken", async () => {
    const other = createServer()
    const port = await listen(other)
    try {
      assertOneLine(await run({ PORT: String(port) }), new RegExp(`port ${port}: it is in use.*PORT`))
    } finally {
      other.close()
    }
  })

  it("says so too where a gateway on another database has the port, which the system would let them share", async () => {
    const gateway = await startGateway()
    try {
      const { port } = new URL(gateway.url)
      assertOneLine(await run({ PORT: port }), new RegExp(`port ${port}: it is in use.*PORT`))
    } finally {
      await gateway.stop()
    }
  })

  it("says that the database's schema is newer", async () => {
    const newer = await startTestDatabase()
    await withSql(
      newer.url,
      (sql) =>
        sql`insert into schema_migrations (version, name, checksum) values (9999, '9999-tomorrow', 'x')`
    )
    try {
      assertOneLine(await run({ DATABASE_URL: newer.url }), /schema is newer \(9999-tomorrow\)/)
    } finally {
      await newer.stop()
    }
  })

  it("says that the data folder can not be used", async () => {
    const file = join(folder, "a-file")
    writeFileSync(file, "")
    assertOneLine(await run({ DATA_DIR: join(file, "data") }), /a-file.*DATA_DIR/)
  })

  it("says so too of a place where no folder can be made", async () => {
    assertOneLine(await run({ DATA_DIR: "/proc/tollgate/data" }), /DATA_DIR/)
  })

  it("says that the database does not answer", async () => {
    assertOneLine(
      await run({ DATABASE_URL: "postgres://nobody@127.0.0.1:9/none" }),
      /DATABASE_URL.*ECONNREFUSED/
    )
  })

  it("says which setting is bad", async () => {
    assertOneLine(await run({ GATEWAY_THREADS: "many" }), /GATEWAY_THREADS/)
  })

  it("says that the data folder is another process's", async () => {
    const holder = spawn(node, ["src/main.ts", "serve"], {
      cwd: root,
      stdio: ["ignore", "ignore", "pipe"],
      env: {
        PATH: process.env["PATH"] ?? "",
        DATA_DIR: join(folder, "held"),
        DATABASE_URL: database.url,
        PORT: "0",
        DASHBOARD: "off"
      }
    })
    for await (const line of createInterface({ input: holder.stderr })) if (line.includes("listens on")) break
    try {
      assertOneLine(await run({ DATA_DIR: join(folder, "held") }), /held/)
    } finally {
      holder.kill("SIGTERM")
      await once(holder, "exit")
    }
  })

  const disk = "a disk that is full"
  const mounted = mountDisk(2)
  it.skipIf(mounted === undefined)(`says that ${disk} does not take the embedded database`, async () => {
    const result = await run({ DATA_DIR: join(mounted!.path, "data"), DATABASE_URL: "" })
    assertOneLine(result, /space|create the database/i)
  })
  afterAll(() => mounted?.unmount())
})
