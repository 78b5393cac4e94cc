/**
 * Refuses poolers that lend a server process for one transaction, as PgBouncer mostly does: locks would be left to
 * strangers, and nothing that is notified would come. Money of several nodes is kept apart by such locks.
 */
import { Effect, Schema } from "effect"
import { openSession, type Session } from "./Database.ts"

export class PooledDatabase extends Schema.TaggedError<PooledDatabase>()("PooledDatabase", {}) {
  override get message() {
    return "DATABASE_URL leads to a connection pooler (such as PgBouncer), by which no session lasts: it must name PostgreSQL itself, or a pooler that keeps sessions"
  }
}

/** Fails with `DatabaseError` where the database can not be reached. */
export const requireSessions = Effect.fnUntraced(function* (session: Session) {
  const { process, told } = yield* askProcess(session)
  // Whoever stands before the server and passes sessions on tells of processes of its own, too.
  if (process !== told && !(yield* keepsSessions(session))) return yield* new PooledDatabase()
})

/** Poolers lend what has come back last, or each in turn. */
const rounds = 5

const keepsSessions = (session: Session) =>
  Effect.scoped(
    Effect.gen(function* () {
      const other = yield* openSession
      const first = yield* askProcess(session)
      for (let round = 0; round < rounds; round++) {
        const [others, own] = [yield* askProcess(other), yield* askProcess(session)]
        if (others.process === own.process || own.process !== first.process) return false
      }
      return true
    })
  )

/** Of the server, for this session: the one that answers, and the one that the session was told of as it began. */
const askProcess = (session: Session) =>
  session.run("reach the database, see DATABASE_URL", async (sql) => {
    const rows = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
    return { process: rows[0].pid, told: rows.state.pid }
  })
