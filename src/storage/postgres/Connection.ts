/**
 * One postgres.js client for one connection, and for that connection's life alone. Every connection of the program to its
 * database is opened here.
 *
 * postgres.js (3.4.9) forgets its socket when the connection ends, and connects anew for the next query. Whoever was in
 * the midst of something still writes to the forgotten one, from a timer, where nobody can catch what it throws: the
 * rollback of `begin`, whatever follows on a reserved connection, a cursor (porsager/postgres #1066, #1154, #1208; #1168 and
 * #1209 would mend it). It also lets a transaction that lost its connection go on, outside of any transaction, on the next
 * one (#1215, #1216); leaves queries that queue within a transaction unanswered (#1186); and drops the promise by which it
 * asks for the types of a new connection, so that this one's end is an unhandled rejection. Each of them ends a process that
 * other people's money passes through.
 *
 * So here a connection that has ended is never followed by another. The client writes to a `LastingSocket`, which takes
 * what comes after the end; it is ended for good before it hears of that end; and a new connection is a new client.
 */
import postgres from "postgres"
import { arrayTypes } from "./array-types.ts"
import { LastingSocket } from "./LastingSocket.ts"
import { connectionClosed, type DatabaseAddress, openSocket } from "./open-socket.ts"
import { sessionSettings } from "./session-settings.ts"

type Types = { readonly bigint: bigint }

/**
 * A client whose `bigint` columns and parameters are JavaScript's. An array of them as a parameter has to be named as
 * one, as has every array but of text: `sql.typed(values, 1016)`. Sums are `numeric`: they are read as text.
 *
 * It is one connection: what is asked at once is answered in turn. `sql.listen` and `sql.reserve` would open more of them.
 */
export interface Sql extends postgres.ISql<Types>, Pick<postgres.Sql<Types>, "begin"> {}

/** The same within `sql.begin`. What asks for one is only right as a part of its caller's transaction. */
export type Transaction = postgres.TransactionSql<Types>

export interface ConnectionOptions {
  /** What the server knows it by. */
  readonly name: string
  /** How `bigint` columns are read. */
  readonly bigint?: postgres.PostgresType
  /** Texts that are given as JSON are JSON already, as node-postgres has it. */
  readonly takesJsonText?: boolean
  readonly onNotification?: (channel: string, payload: string) => void
  /** Called once, as soon as the connection has ended, whoever ended it; queries that waited have failed by then. */
  readonly onEnd?: () => void
}

export interface Connection {
  /** The connection is opened by the first query; that it can not be is how this one fails. */
  readonly sql: Sql
  /** Whatever is asked from now on fails. */
  readonly hasEnded: boolean
  /** Ends it, and whatever is still under way on it. */
  close(): Promise<void>
}

export const openConnection = (url: string, options: ConnectionOptions): Connection => {
  let hasEnded = false
  let socket: LastingSocket | undefined
  let ended: Promise<void> | undefined
  const read = readOptions(url, options)
  const end = () => {
    hasEnded = true
    ended ??= endClient(sql, () => socket)
    return ended
  }
  const openSocketOnce = () => {
    if (socket !== undefined || hasEnded) throw connectionClosed()
    const open = (signal: AbortSignal) => openSocket(read, firstHosts.get(url) ?? 0, signal)
    socket = new LastingSocket(open, () => {
      hasEnded = true
      options.onEnd?.()
      void end()
    })
    return socket
  }
  const sql = postgres({
    ...read,
    socket: openSocketOnce,
    // The socket sees to these.
    host: read.host.slice(0, 1),
    port: read.port.slice(0, 1),
    ssl: false,
    target_session_attrs: null,
    onparameter: (name: string, value: string | null) => {
      if (!isUnwanted(read.target_session_attrs, name, value)) return
      firstHosts.set(url, (firstHosts.get(url) ?? 0) + 1)
      socket?.destroy(Object.assign(new Error("this server only reads"), { code: "READ_ONLY_SERVER" }))
    }
  } as unknown as postgres.Options<Record<string, postgres.PostgresType>>) as unknown as postgres.Sql<Types>
  return {
    sql,
    get hasEnded() {
      return hasEnded
    },
    close: end
  }
}

/** As postgres.js reads the address. */
interface ClientOptions extends DatabaseAddress {
  readonly target_session_attrs: unknown
}

const connectTimeoutSeconds = 5

/** Of a client that never connects: what it has read can be given to another, changed, as postgres.js itself does. */
const readOptions = (
  url: string,
  { bigint, name, onNotification, takesJsonText = false }: ConnectionOptions
): ClientOptions => {
  const { options } = postgres(withoutAny(url), {
    ...socketHost(url),
    max: 1,
    connect_timeout: connectTimeoutSeconds,
    // A connection that is replaced after a while would silently drop its locks.
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    types: { ...arrayTypes, bigint: bigint ?? postgres.BigInt, ...(takesJsonText && { json: jsonOfText }) },
    connection: { application_name: name },
    onnotice: () => {},
    ...(onNotification !== undefined && { onnotify: onNotification })
  })
  const asked = options.connection as Readonly<Record<string, string>>
  const { sslcert: cert, sslkey: key, sslrootcert } = asked
  const read = {
    ...options,
    ...ipv6Hosts(url),
    // Who answers is known by a certificate instead, which postgres.js can not bind the password to.
    ...(asked["channel_binding"] === "require" && { ssl: "verify-full" }),
    connection: sessionSettings(asked),
    certificates: { ca: sslrootcert === "system" ? undefined : sslrootcert, cert, key }
  }
  return read as unknown as ClientOptions
}

/** What is the default anyway, and postgres.js does not know. */
const withoutAny = (url: string) => url.replace(/(?<=[?&]target_session_attrs=)any(?=&|$)/, "")

/** A host that is a folder, percent-encoded as libpq has it, holds a Unix socket; postgres.js would look for a host of that name. */
const socketHost = (url: string): { readonly host?: string } => {
  const folder = /^postgres(?:ql)?:\/\/(?:[^@/]*@)?(%2f[^:/?]*)/i.exec(url)?.[1]
  return folder === undefined ? {} : { host: decodeURIComponent(folder) }
}

/** postgres.js cuts a host at its first colon, and leaves IPv6 in its brackets. */
const ipv6Hosts = (url: string): { readonly host?: Array<string>; readonly port?: Array<number> } => {
  const servers = /^[^/]*\/\/(?:[^@/?#]*@)?([^/?#]*)/.exec(url)?.[1] ?? ""
  if (!servers.includes("[")) return {}
  const places = servers.split(",").map((server) => new URL(`postgres://${server}`))
  return {
    host: places.map(({ hostname }) => hostname.replace(/^\[|\]$/g, "")),
    port: places.map(({ port }) => Number(port || 5432))
  }
}

const jsonOfText: postgres.PostgresType = {
  to: 3802,
  from: [114, 3802],
  serialize: (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value)),
  parse: (text: string) => JSON.parse(text) as unknown
}

/**
 * Nothing is left that waits: what has been sent, what waits to be sent, and whatever still comes, fails. Only then may the
 * client hear that its socket is closed, since it forgets the socket then.
 */
const endClient = async (
  client: Pick<postgres.Sql, "end">,
  socket: () => LastingSocket | undefined
): Promise<void> => {
  await client.end({ timeout: 0 })
  socket()?.destroy()
  socket()?.emit("close", true)
}

/** Of several addresses, where to begin: the next one, after a server that only reads had answered. */
const firstHosts = new Map<string, number>()

const isUnwanted = (wanted: unknown, name: string, value: string | null): boolean =>
  (wanted === "read-write" || wanted === "primary") &&
  (name === "in_hot_standby" || name === "default_transaction_read_only") &&
  value === "on"
