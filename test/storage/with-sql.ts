/** Connections to look into a test's database with, reading and writing as the program's own do. */
import postgres from "postgres"

type Sql = postgres.Sql<{ bigint: bigint }>

/** To be ended by the caller. */
export const openSql = (url: string, connectionsMax = 1): Sql =>
  postgres(url, {
    max: connectionsMax,
    // A loaded machine may take more than some seconds for a new session.
    connect_timeout: 60,
    onnotice: () => {},
    types: { bigint: postgres.BigInt }
  })

export const withSql = async <A>(url: string, use: (sql: Sql) => Promise<A>): Promise<A> => {
  const sql = openSql(url)
  try {
    return await use(sql)
  } finally {
    await sql.end()
  }
}
