/** Opens a TCP, TLS or Unix connection to the first of the database's addresses that can be reached. */
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { connect, isIP, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { trustSystem } from "../../outgoing/trust-system.ts"

export interface DatabaseAddress {
  readonly host: ReadonlyArray<string>
  readonly port: ReadonlyArray<number>
  /** Of a Unix socket. */
  readonly path: string | false | undefined
  /** As `sslmode` in the address: false, `prefer`, `require`, `verify-full` … */
  readonly ssl: unknown
  readonly sslnegotiation: unknown
  /** Files in PEM, by `sslrootcert`, `sslcert` and `sslkey` in the address. They are read anew for each connection. */
  readonly certificates: Readonly<Record<"ca" | "cert" | "key", string | undefined>>
}

/** `first`: with which of the addresses to begin. */
export const openSocket = async (
  address: DatabaseAddress,
  first: number,
  signal: AbortSignal
): Promise<Socket> => {
  if (typeof address.path === "string") return openPlain({ path: address.path }, signal)
  let failure: unknown
  for (let tried = 0; tried < address.host.length; tried++) {
    const index = (first + tried) % address.host.length
    try {
      return await openAt(address, index, signal)
    } catch (cause) {
      failure = cause
      if (signal.aborted) break
    }
  }
  throw failure
}

const openAt = async (address: DatabaseAddress, index: number, signal: AbortSignal): Promise<Socket> => {
  const host = address.host[index]!
  const socket = await openPlain({ host, port: address.port[index % address.port.length]! }, signal)
  if (address.ssl === false || address.ssl === undefined) return socket
  try {
    return await secure(socket, host, address, signal)
  } catch (cause) {
    socket.destroy()
    throw cause
  }
}

const openPlain = async (
  target: { readonly path: string } | { readonly host: string; readonly port: number },
  signal: AbortSignal
): Promise<Socket> => {
  const socket = connect({ ...target, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 })
  await settled(socket, "connect", signal)
  return socket
}

/** postgres.js does not verify these, as libpq does not; but by an authority that is named. */
const unverified: ReadonlySet<unknown> = new Set(["require", "allow", "prefer"])

/** Of these any certificate of the authority will do. */
const nameless: ReadonlySet<unknown> = new Set([...unverified, "verify-ca"])

const secure = async (
  socket: Socket,
  host: string,
  address: DatabaseAddress,
  signal: AbortSignal
): Promise<Socket> => {
  const isDirect = address.sslnegotiation === "direct"
  if (!isDirect && !(await offersTls(socket, signal))) {
    if (address.ssl === "prefer" || address.ssl === "allow") return socket
    throw Object.assign(new Error("the database does not offer TLS"), { code: "TLS_REFUSED" })
  }
  const { ca, cert, key } = address.certificates
  const isVerified = ca !== undefined || !unverified.has(address.ssl)
  if (isVerified && ca === undefined) trustSystem()
  const encrypted = connectTls({
    socket,
    host,
    ...(ca !== undefined && { ca: readNamed("sslrootcert", ca) }),
    ...(cert !== undefined && { cert: readNamed("sslcert", cert) }),
    ...(key !== undefined && { key: readNamed("sslkey", key) }),
    ...(isIP(host) === 0 && { servername: host }),
    ...(isDirect && { ALPNProtocols: ["postgresql"] }),
    ...(nameless.has(address.ssl) && { checkServerIdentity: () => undefined }),
    rejectUnauthorized: isVerified
  })
  await settled(encrypted, "secureConnect", signal)
  return encrypted
}

/** That a file can not be read is said with the setting that names it: `sslrootcert: ENOENT`. */
const readNamed = (setting: string, file: string) => {
  try {
    return readFileSync(file)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw Object.assign(new Error(`${setting} can not be read`, { cause }), { code: `${setting}: ${code}` })
  }
}

const tlsRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** The answer is one byte. More than that would be somebody's attempt to speak before TLS does. */
const offersTls = async (socket: Socket, signal: AbortSignal): Promise<boolean> => {
  socket.write(tlsRequest)
  const [answer] = await settled(socket, "data", signal)
  const text = String(answer)
  if (text === "S" || text === "N") return text === "S"
  throw Object.assign(new Error("the database does not answer as PostgreSQL does"), { code: "TLS_REFUSED" })
}

/** Waits for the event. An end or an error before it, or the signal, destroys the socket. */
const settled = async (
  socket: Socket,
  event: string,
  signal: AbortSignal
): Promise<ReadonlyArray<unknown>> => {
  const closed = new AbortController()
  const onClose = () => closed.abort()
  socket.once("close", onClose)
  try {
    return await once(socket, event, { signal: AbortSignal.any([signal, closed.signal]) })
  } catch (cause) {
    // Errors that come later have nobody to be told to.
    socket.on("error", () => {})
    socket.destroy()
    throw closed.signal.aborted && !signal.aborted ? connectionClosed() : cause
  } finally {
    socket.off("close", onClose)
  }
}

/** What postgres.js itself says of a connection that has ended. */
export const connectionClosed = () =>
  Object.assign(new Error("the connection was closed"), { code: "CONNECTION_CLOSED" })
