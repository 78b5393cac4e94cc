/** What PostgreSQL is told as a session begins, by names of its settings: https://www.postgresql.org/docs/current/runtime-config-client.html */

/**
 * Whatever the server, the database, the role or the address has: by other settings what is read and written would be taken
 * for something else, transactions would fail beside each other, and long ones, which have limits of their own here, be ended.
 * All are texts: postgres.js leaves out a number that is 0.
 */
const ownSettings: Readonly<Record<string, string>> = {
  client_encoding: "UTF8",
  TimeZone: "UTC",
  DateStyle: "ISO",
  IntervalStyle: "postgres",
  bytea_output: "hex",
  extra_float_digits: "1",
  standard_conforming_strings: "on",
  default_transaction_isolation: "read committed",
  statement_timeout: "0",
  lock_timeout: "0",
  // ms. Who has died, is frozen or cut off in the middle of a transaction holds what it has locked no longer than a lease: the commits of
  // all nodes wait for a wallet that is, and the server itself misses a client after two hours.
  idle_in_transaction_session_timeout: "8000",
  idle_session_timeout: "0",
  // What a page asks is answered before its statement would be compiled.
  jit: "off"
}

const ownNames = new Set(Object.keys(ownSettings).map((name) => name.toLowerCase()))

/**
 * Settings of an address that ask something of whoever connects, and that the server does not know:
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS
 */
const clientSettings: ReadonlySet<string> = new Set([
  "sslcert",
  "sslkey",
  "sslrootcert",
  "sslsni",
  "channel_binding",
  "keepalives",
  "keepalives_idle",
  "keepalives_interval",
  "keepalives_count",
  "tcp_user_timeout",
  "load_balance_hosts",
  "fallback_application_name"
])

/** `asked`: what the address has beside what postgres.js takes for itself. It may set more, but nothing otherwise. */
export const sessionSettings = (asked: Readonly<Record<string, string>>): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(asked).filter(isForServer)),
  ...ownSettings
})

const isForServer = ([name, value]: readonly [string, string]) => {
  if (ownNames.has(name.toLowerCase()) || clientSettings.has(name)) return false
  // Kerberos is never spoken: who demands it hears from the server that it can not be had.
  return name !== "gssencmode" || value === "require"
}
