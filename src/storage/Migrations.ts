/** Brings the database's schema to the program's own version, one numbered file after another, each exactly once. */
import { Effect, Layer, Schema } from "effect"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { openSession, type Session, type Sql } from "./Database.ts"

/** The database and this program do not fit together; it is left as it was. */
export class SchemaMismatch extends Schema.TaggedError<SchemaMismatch>()("SchemaMismatch", {
  reason: Schema.String
}) {
  override get message() {
    return `The database does not fit this program: ${this.reason}`
  }
}

const shippedFolder = fileURLToPath(new URL("./migrations", import.meta.url))

/** Safe to run from several processes at once: one does the work, the others wait and find it done. */
export const migrate = Effect.fnUntraced(
  function* (folder: string = shippedFolder) {
    const migrations = yield* Effect.sync(() => readMigrations(folder))
    const session = yield* openSession
    yield* lock(session)
    const applied = yield* readApplied(session)
    const mismatch = findMismatch(migrations, applied)
    if (mismatch !== undefined) return yield* new SchemaMismatch({ reason: mismatch })
    for (const migration of migrations.slice(applied.length)) {
      yield* session.run(`apply migration ${migration.name}`, (sql) => apply(sql, migration))
      yield* Effect.logInfo(`Applied migration ${migration.name}`)
    }
    yield* session.run(
      "make the partitions of the call log",
      (sql) => sql`select ensure_call_partitions(current_date)`
    )
  },
  // The session ends here, and with it its lock.
  Effect.scoped
)

/** Needs only a `DatabaseUrl`; whatever is provided this finds the schema in place. */
export const layer = Layer.effectDiscard(Effect.suspend(() => migrate()))

export interface Migration {
  readonly version: number
  /** `0001-ledger` */
  readonly name: string
  readonly checksum: string
  readonly sql: string
}

type Applied = Omit<Migration, "sql">

/** Numbered from 1 without a gap; anything else in the folder is a mistake in the program. */
export const readMigrations = (folder: string): ReadonlyArray<Migration> =>
  readdirSync(folder)
    .sort()
    .map((fileName, index) => {
      const version = index + 1
      const pattern = new RegExp(`^${String(version).padStart(4, "0")}-[a-z0-9-]+\\.sql$`)
      if (!pattern.test(fileName)) throw new Error(`migration ${version} can not be called ${fileName}`)
      // A checkout may have turned line ends into those of its machine.
      const sql = readFileSync(`${folder}/${fileName}`, "utf8").replaceAll("\r\n", "\n")
      const checksum = createHash("sha256").update(sql).digest("hex")
      return { version, name: fileName.replace(/\.sql$/, ""), checksum, sql }
    })

/** Why these migrations can not go on from what was applied. */
export const findMismatch = (
  migrations: ReadonlyArray<Applied>,
  applied: ReadonlyArray<Applied>
): string | undefined => {
  if (applied.length > migrations.length) {
    return `its schema is at version ${applied.length}, the program's at ${migrations.length}; use the newer program`
  }
  const other = applied.find(({ version, checksum }, index) => {
    const own = migrations[index]
    return own?.version !== version || own.checksum !== checksum
  })
  return other === undefined ? undefined : `migration ${other.name} was applied with another content`
}

/** Advisory lock (712000, 0) is that of migrations. */
const lock = (session: Session) =>
  session.run("lock the schema", async (sql) => {
    await sql`set lock_timeout = '5min'`
    await sql`select pg_advisory_lock(712000, 0)`
    await sql`
      create table if not exists schema_migrations (
        version integer primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now()
      )
    `
  })

const readApplied = (session: Session) =>
  session.run(
    "read the schema's version",
    (sql) => sql<Array<Applied>>`select version, name, checksum from schema_migrations order by version`
  )

const apply = (sql: Sql, { version, name, checksum, sql: statements }: Migration) =>
  sql.begin(async (transaction) => {
    await transaction.unsafe(statements)
    await transaction`insert into schema_migrations (version, name, checksum) values (${version}, ${name}, ${checksum})`
  })
