/** A copy of a test's database, to which it can be put back while its clients go on: they are cut off and connect anew. */
import type { Sql } from "../../src/storage/Database.ts"
import { withSql } from "./with-sql.ts"

export class DatabaseBackup {
  readonly #serverUrl: string
  readonly #name: string
  readonly #copy: string

  private constructor(url: string) {
    const place = new URL(url)
    this.#name = place.pathname.slice(1)
    this.#copy = `${this.#name}_copy`
    place.pathname = "/postgres"
    this.#serverUrl = place.href
  }

  static async of(url: string): Promise<DatabaseBackup> {
    const backup = new DatabaseBackup(url)
    await backup.#alone((sql) => sql.unsafe(`create database ${backup.#copy} template ${backup.#name}`))
    return backup
  }

  /** `meanwhile` is done while nobody can connect. */
  async putBack(meanwhile: () => Promise<unknown> = async () => {}): Promise<void> {
    await this.#alone(async (sql) => {
      await meanwhile()
      await sql.unsafe(`drop database ${this.#name}`)
      await sql.unsafe(`create database ${this.#name} template ${this.#copy} allow_connections false`)
    })
  }

  drop(): Promise<void> {
    return withSql(this.#serverUrl, async (sql) => {
      await sql.unsafe(`drop database ${this.#copy}`)
    })
  }

  /** With no client connected. */
  #alone(work: (sql: Sql) => Promise<unknown>): Promise<void> {
    return withSql(this.#serverUrl, async (sql) => {
      await sql.unsafe(`alter database ${this.#name} allow_connections false`)
      await sql`
        select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = ${this.#name}`
      await work(sql as unknown as Sql)
      await sql.unsafe(`alter database ${this.#name} allow_connections true`)
    })
  }
}
