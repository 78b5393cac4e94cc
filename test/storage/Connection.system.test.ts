import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect, createServer, type Server, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createSecureContext, TLSSocket } from "node:tls"
import { promisify } from "node:util"
import { afterAll, beforeAll } from "vitest"
import { type Connection, openConnection } from "../../src/storage/postgres/Connection.ts"
import { makeAuthority, selfSigned } from "../certificates.ts"
import { listen } from "../listen.ts"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"
import { openSql } from "./with-sql.ts"

let database: TestDatabase
let observer: ReturnType<typeof openSql>
beforeAll(async () => {
  database = await startTestDatabase({ migrated: false })
  observer = openSql(database.url)
  await observer`create table things (name text)`
})
afterAll(async () => {
  await observer.end()
  await database.stop()
})

const open = (url = database.url, onEnd?: () => void) =>
  openConnection(url, { name: "test", ...(onEnd !== undefined && { onEnd }) })
const terminate = async (connection: Connection) => {
  const [row] = await connection.sql<[{ pid: number }]>`select pg_backend_pid() as pid`
  return async () => void (await observer`select pg_terminate_backend(${row.pid})`)
}
const codeOf = (promise: PromiseLike<unknown>) =>
  Promise.resolve(promise).then(
    () => "answered",
    (cause: { readonly code?: string }) => cause.code
  )
const names = async () =>
  (await observer<Array<{ name: string }>>`select name from things`).map(({ name }) => name)

describe("a connection that has ended", () => {
  it("takes nothing more of a transaction that was under way, and says so to whoever waits", async () => {
    let tellEnded = () => {}
    const ended = new Promise<void>((resolve) => (tellEnded = resolve))
    const connection = open(database.url, tellEnded)
    const kill = await terminate(connection)
    let late: string | undefined
    let finished = () => {}
    const isFinished = new Promise<void>((resolve) => (finished = resolve))
    const begun = codeOf(
      connection.sql.begin(async (transaction) => {
        await transaction`insert into things values ('before')`
        await kill()
        await ended
        late = await codeOf(transaction`insert into things values ('after')`)
        finished()
        throw new Error("enough")
      })
    )
    assert.strictEqual(await begun, "CONNECTION_CLOSED")
    await isFinished
    assert.strictEqual(late, "CONNECTION_DESTROYED")
    assert.strictEqual(await codeOf(connection.sql`insert into things values ('later')`), "CONNECTION_ENDED")
    assert.isTrue(connection.hasEnded)
    assert.deepStrictEqual(await names(), [])
  })

  it("ends a transaction whose code waits for what was never sent", async () => {
    const connection = open()
    const kill = await terminate(connection)
    const begun = codeOf(
      connection.sql.begin((transaction) => {
        // The first one's parameter has to be described; the others wait for that.
        const asked = [1, 2, 3].map((value) => codeOf(transaction`select pg_sleep(60), ${value}::int4`))
        setTimeout(kill, 20)
        return Promise.all(asked)
      })
    )
    assert.oneOf(await begun, ["CONNECTION_CLOSED", "ECONNRESET"])
  })

  it("is told once, and leaves no session at the server when it is closed", async () => {
    let told = 0
    const connection = open(database.url, () => told++)
    const [row] = await connection.sql<[{ pid: number }]>`select pg_backend_pid() as pid`
    const asked = codeOf(connection.sql`select 1 from pg_sleep(0.2)`)
    await connection.close()
    assert.oneOf(await asked, ["CONNECTION_DESTROYED", "CONNECTION_CLOSED", "CONNECTION_ENDED"])
    assert.strictEqual(told, 1)
    while ((await observer`select from pg_stat_activity where pid = ${row.pid}`).length > 0) continue
  })

  it("was never opened, and opens no more", async () => {
    const connection = open()
    await connection.close()
    assert.strictEqual(await codeOf(connection.sql`select 1`), "CONNECTION_ENDED")
  })
})

describe("the values of a connection", () => {
  it("come back as they went, in arrays too", async () => {
    const connection = open()
    const texts = ["plain", "", "NULL", 'a "quoted" \\ one', "comma, {brace}", "Việt\nNam"]
    const bytes = [new Uint8Array([0, 255]), new Uint8Array()]
    const [row] = await connection.sql`
      select ${texts}::text[] as texts, ${[]}::text[] as none, ${connection.sql.typed(bytes, 1001)}::bytea[] as bytes, ${[1, -2]}::int4[] as integers,
        ${connection.sql.typed([true, false], 1000)}::bool[] as flags, array[null, 'x']::text[] as holes`
    assert.deepStrictEqual(row!["texts"], texts)
    assert.deepStrictEqual(row!["none"], [])
    assert.deepStrictEqual(
      row!["bytes"],
      bytes.map((one) => Buffer.from(one))
    )
    assert.deepStrictEqual(row!["integers"], [1, -2])
    assert.deepStrictEqual(row!["flags"], [true, false])
    assert.deepStrictEqual(row!["holes"], [null, "x"])
    await connection.close()
  })
})

/** Speaks TLS as PostgreSQL does, or refuses to, and passes the rest on. */
const startTlsFront = async (
  answer: "S" | "N",
  certificate = selfSigned()
): Promise<{ readonly url: string; readonly server: Server; readonly shown: Array<string> }> => {
  const secureContext = createSecureContext(certificate)
  const shown: Array<string> = []
  const target = new URL(database.url)
  const server = createServer((client) => {
    client.on("error", () => {})
    client.once("data", () => {
      client.write(answer)
      const spoken: Socket =
        answer === "N" ? client : new TLSSocket(client, { isServer: true, secureContext, requestCert: true })
      spoken.on("secure", () => {
        const { subject } = (spoken as TLSSocket).getPeerCertificate()
        if (subject !== undefined) shown.push(String(subject.CN))
      })
      const behind = connect(Number(target.port), target.hostname)
      for (const socket of [spoken, behind]) {
        socket.on("error", () => {})
        socket.on("close", () => [spoken, behind].forEach((each) => each.destroy()))
      }
      spoken.pipe(behind)
      behind.pipe(spoken)
    })
  })
  const url = new URL(database.url)
  url.port = String(await listen(server))
  return { url: url.href, server, shown }
}

describe("a connection over TLS", () => {
  const ask = async (url: string) => {
    const connection = open(url)
    const answered = await codeOf(connection.sql`select 1`)
    await connection.close()
    return answered
  }

  it("is encrypted where it is required, verified where that is asked for, and plain only where that is preferred", async () => {
    const speaks = await startTlsFront("S")
    const refuses = await startTlsFront("N")
    assert.strictEqual(await ask(`${speaks.url}?sslmode=require`), "answered")
    assert.strictEqual(await ask(`${speaks.url}?sslmode=verify-full`), "DEPTH_ZERO_SELF_SIGNED_CERT")
    // What the password can not be bound to is known by its certificate.
    const bound = `${speaks.url}?sslmode=require&channel_binding=require`
    assert.strictEqual(await ask(bound), "DEPTH_ZERO_SELF_SIGNED_CERT")
    assert.strictEqual(await ask(`${refuses.url}?sslmode=require`), "TLS_REFUSED")
    assert.strictEqual(await ask(`${refuses.url}?sslmode=prefer`), "answered")
    for (const { server } of [speaks, refuses]) await new Promise((resolve) => server.close(resolve))
  })

  it("trusts the authority that its address names, and shows the certificate that it names", async () => {
    const [ours, others] = [makeAuthority("ours"), makeAuthority("others")]
    const client = ours.issue("tollgate")
    const named = await startTlsFront("S", ours.issue("127.0.0.1"))
    const unnamed = await startTlsFront("S", ours.issue("elsewhere"))
    const folder = mkdtempSync(join(tmpdir(), "tollgate-tls-"))
    const write = (name: string, pem: string) => (writeFileSync(join(folder, name), pem), join(folder, name))
    const trusting = `sslrootcert=${write("ours.pem", ours.cert)}`
    const showing = `sslcert=${write("client.pem", client.cert)}&sslkey=${write("client.key", client.key)}`
    assert.strictEqual(await ask(`${named.url}?sslmode=verify-full&${trusting}`), "answered")
    assert.deepStrictEqual(named.shown, [])
    assert.strictEqual(await ask(`${named.url}?sslmode=verify-full&${trusting}&${showing}`), "answered")
    assert.deepStrictEqual(named.shown, ["tollgate"])
    assert.strictEqual(
      await ask(`${unnamed.url}?sslmode=verify-full&${trusting}`),
      "ERR_TLS_CERT_ALTNAME_INVALID"
    )
    assert.strictEqual(await ask(`${unnamed.url}?sslmode=verify-ca&${trusting}`), "answered")
    const foreign = `sslrootcert=${write("others.pem", others.cert)}`
    assert.strictEqual(
      await ask(`${named.url}?sslmode=require&${foreign}`),
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE"
    )
    assert.strictEqual(
      await ask(`${named.url}?sslmode=require&sslrootcert=${folder}/none.pem`),
      "sslrootcert: ENOENT"
    )
    for (const { server } of [named, unnamed]) await new Promise((resolve) => server.close(resolve))
    rmSync(folder, { recursive: true })
  })

  it("trusts whom the machine trusts", async () => {
    const system = makeAuthority("System")
    const front = await startTlsFront("S", system.issue("127.0.0.1"))
    const file = join(mkdtempSync(join(tmpdir(), "tollgate-tls-")), "system.pem")
    writeFileSync(file, system.cert)
    // What the machine trusts is read once by a process.
    const program = `
      import { openConnection } from "./src/storage/postgres/Connection.ts"
      const connection = openConnection("${front.url}?sslmode=verify-full", { name: "test" })
      const [row] = await connection.sql\`select 'answered' as said\`
      process.stdout.write(row.said)
      await connection.close()`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module-typescript", "--eval", program],
      { cwd: join(import.meta.dirname, "../.."), env: { ...process.env, SSL_CERT_FILE: file } }
    )
    assert.strictEqual(stdout, "answered")
    await new Promise((resolve) => front.server.close(resolve))
    rmSync(dirname(file), { recursive: true })
  })

  it("ends with its query where the server cuts it, as any other", async () => {
    const { server, url } = await startTlsFront("S")
    const connection = open(`${url}?sslmode=require`)
    const kill = await terminate(connection)
    const begun = codeOf(connection.sql.begin((transaction) => transaction`select pg_sleep(60)`))
    await kill()
    assert.oneOf(await begun, ["CONNECTION_CLOSED", "CONNECTION_DESTROYED", "57P01"])
    await new Promise((resolve) => server.close(resolve))
  })
})

describe("an address of IPv6", () => {
  it("leads to its server, alone and among several", async () => {
    const { host, port } = new URL(database.url)
    for (const servers of [`[::ffff:127.0.0.1]:${port}`, `[::1]:1,[::ffff:127.0.0.1]:${port}`]) {
      const connection = open(database.url.replace(host, servers))
      assert.strictEqual(await codeOf(connection.sql`select 1`), "answered")
      await connection.close()
    }
  })
})

describe("an address of several servers", () => {
  it("leads to the first that can be reached", async () => {
    const { host } = new URL(database.url)
    const dead = createServer()
    const port = await listen(dead)
    await new Promise((resolve) => dead.close(resolve))
    const connection = open(database.url.replace(host, `127.0.0.1:${port},${host}`))
    assert.strictEqual(await codeOf(connection.sql`select 1`), "answered")
    await connection.close()
  })

  it("leads past one that only reads, if that was asked for", async () => {
    await observer.unsafe(`alter role current_user in database ${new URL(database.url).pathname.slice(1)}
      set default_transaction_read_only = on`)
    const url = `${database.url}?target_session_attrs=read-write`
    const connection = open(url)
    assert.strictEqual(await codeOf(connection.sql`select 1`), "READ_ONLY_SERVER")
    await observer.unsafe(`set default_transaction_read_only = off;
      alter role current_user in database ${new URL(database.url).pathname.slice(1)} reset all`)
    const again = open(url)
    assert.strictEqual(await codeOf(again.sql`select 1`), "answered")
    await again.close()
  })

  it("does not take what libpq settles for itself for settings of the server, nor others than the program's own", async () => {
    const libpq =
      "target_session_attrs=any&gssencmode=prefer&channel_binding=prefer&keepalives_idle=30&load_balance_hosts=random"
    const connection = open(
      `${database.url}?${libpq}&timezone=Asia/Tokyo&statement_timeout=1&client_encoding=LATIN1&work_mem=5MB&options=-c%20lock_timeout=7`
    )
    const names = ["TimeZone", "client_encoding", "statement_timeout", "lock_timeout", "work_mem"]
    const rows =
      await connection.sql`select current_setting(name) as is from unnest(${names}::text[]) as name`
    assert.deepStrictEqual(
      Array.from(rows, (row) => row["is"]),
      ["UTC", "UTF8", "0", "0", "5MB"]
    )
    await connection.close()
    const kerberos = open(`${database.url}?gssencmode=require`)
    assert.strictEqual(await codeOf(kerberos.sql`select 1`), "42704")
  })
})
