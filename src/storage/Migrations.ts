/** Brings the database's schema to the program's own version, one numbered file after another, each exactly once. */
import { Effect, Layer, Schedule, Schema } from "effect"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { advisoryLocks } from "./advisory-locks.ts"
import { longWorkMs, openSession, type Session, type Sql } from "./Database.ts"
import { isBusy } from "./is-busy.ts"
import { makePartitions } from "./months/make-partitions.ts"
import { requireSessions } from "./require-sessions.ts"

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
export const migrate = (folder: string = shippedFolder) =>
  // The session ends here, and with it its lock.
  Effect.scoped(migrateFrom(folder))

const migrateFrom = Effect.fnUntraced(function* (folder: string) {
  const migrations = yield* Effect.sync(() => readMigrations(folder))
  const session = yield* openSession
  yield* requireSessions(session)
  const encoding = yield* session.run("read the database's encoding", readEncoding)
  if (encoding !== "UTF8")
    return yield* new SchemaMismatch({ reason: `it is encoded as ${encoding}; make it with encoding UTF8` })
  const elsewhere = yield* session.run("find the schema", findElsewhere)
  if (elsewhere !== undefined)
    return yield* new SchemaMismatch({
      reason: `its tables are in the schema ${elsewhere}, which search_path does not lead to`
    })
  yield* lock(session)
  const applied = yield* readApplied(session)
  const mismatch = findMismatch(migrations, applied)
  if (mismatch !== undefined) return yield* new SchemaMismatch({ reason: mismatch })
  const done = new Set(applied.map(({ version }) => version))
  for (const migration of migrations.filter(({ version }) => !done.has(version))) {
    yield* session
      .run(`apply migration ${migration.name}`, (sql) => apply(sql, migration), longWorkMs)
      .pipe(Effect.retry({ while: isBusy, schedule: betweenTries, times: 75 }))
    yield* Effect.logInfo(`Applied migration ${migration.name}`)
  }
  yield* session.run("make the partitions of the call log", makePartitions, longWorkMs).pipe(
    Effect.retry({ while: isBusy, schedule: betweenTries, times: 2 }),
    // Those that are there serve for two months; whoever keeps the tables tidy makes the next.
    Effect.catchIf(isBusy, () => Effect.void)
  )
})

const betweenTries = Schedule.spaced("3 seconds")

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

/** In the order of their numbers, no number twice; anything else in the folder is a mistake in the program. */
export const readMigrations = (folder: string): ReadonlyArray<Migration> => {
  const migrations = readdirSync(folder)
    .sort()
    .map((fileName) => {
      const [, number, title] = /^(\d{4})-([a-z0-9-]+)\.sql$/.exec(fileName) ?? []
      if (number === undefined) throw new Error(`a migration can not be called ${fileName}`)
      // A checkout may have turned line ends into those of its machine.
      const sql = readFileSync(`${folder}/${fileName}`, "utf8").replaceAll("\r\n", "\n")
      const checksum = createHash("sha256").update(sql).digest("hex")
      return { version: Number(number), name: `${number}-${title}`, checksum, sql }
    })
  const twice = migrations.find(({ version }, index) => version === migrations[index - 1]?.version)
  if (twice !== undefined) throw new Error(`two migrations have the number of ${twice.name}`)
  return migrations
}

/** Why these migrations can not go on from what was applied. */
const findMismatch = (
  migrations: ReadonlyArray<Applied>,
  applied: ReadonlyArray<Applied>
): string | undefined => {
  const own = new Map(migrations.map((migration) => [migration.version, migration]))
  const unknown = applied.find(({ version }) => !own.has(version))
  if (unknown !== undefined) {
    return `its schema is newer (${unknown.name}); use the program that made it`
  }
  const changed = applied.find(({ version, checksum }) => own.get(version)?.checksum !== checksum)
  return changed === undefined ? undefined : `migration ${changed.name} was applied with another content`
}

const readEncoding = async (sql: Sql): Promise<string> => {
  const [row] = await sql<[{ encoding: string }]>`select current_setting('server_encoding') as encoding`
  return row.encoding
}

/** Where our tables are, if a session does not find them; other programs have a table of this name, too, but not beside this function. */
const findElsewhere = async (sql: Sql): Promise<string | undefined> => {
  const [row] = await sql<Array<{ schema: string }>>`
    select n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'checksum'
      join pg_proc p on p.pronamespace = c.relnamespace and p.proname = 'ensure_call_partitions'
    where to_regclass('schema_migrations') is null and c.relname = 'schema_migrations' and c.relkind = 'r'`
  return row?.schema
}

const lock = (session: Session) => session.run("lock the schema", lockSchema, 6 * 60_000)

const lockSchema = async (sql: Sql): Promise<void> => {
  await sql`set lock_timeout = '5min'`
  await sql`select pg_advisory_lock(${advisoryLocks.migrations}, 0)`
  await sql`
    create table if not exists schema_migrations (
      version integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )
  `
}

const readApplied = (session: Session) =>
  session.run(
    "read the schema's version",
    (sql) => sql<Array<Applied>>`select version, name, checksum from schema_migrations order by version`
  )

/** Calls of other nodes wait behind it for whatever it waits for, a backup that reads all: no longer than they are patient. */
const apply = (sql: Sql, { version, name, checksum, sql: statements }: Migration) =>
  sql.begin(async (transaction) => {
    await transaction`set local lock_timeout = '1s'`
    await transaction.unsafe(statements)
    await transaction`insert into schema_migrations (version, name, checksum) values (${version}, ${name}, ${checksum})`
  })
