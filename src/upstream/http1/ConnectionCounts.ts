/** What is counted of the connections to one origin; every number only grows. */

/** Few, since each becomes a series of its own. */
export type FailureKind =
  | "refused"
  | "unreachable"
  | "name"
  | "timeout"
  | "tls"
  | "proxy"
  | "reset"
  | "closed"
  | "malformed"
  | "encoded"
  | "fault"
  | "other"

const kindOf: Readonly<Record<string, FailureKind>> = {
  ECONNREFUSED: "refused",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  EADDRNOTAVAIL: "unreachable",
  ENOTFOUND: "name",
  EAI_AGAIN: "name",
  EAI_FAIL: "name",
  ETIMEDOUT: "timeout",
  "connect timeout": "timeout",
  "head timeout": "timeout",
  EPROTO: "tls",
  ECONNRESET: "reset",
  ECONNABORTED: "reset",
  EPIPE: "reset",
  closed: "closed",
  malformed: "malformed",
  surplus: "malformed",
  encoded: "encoded",
  fault: "fault"
}

export class ConnectionCounts {
  opened = 0
  /** Calls that went out on a connection that had been idle. */
  reused = 0
  /** Calls that met a connection which the provider was closing. */
  sentAgain = 0
  /** Connections that could not be made, or broke under a call. */
  readonly failed = new Map<FailureKind, number>()

  /** `reason` as a connection tells it. */
  addFailed(reason: string): void {
    const kind = failureKind(reason)
    this.failed.set(kind, (this.failed.get(kind) ?? 0) + 1)
  }
}

const failureKind = (reason: string): FailureKind =>
  Object.hasOwn(kindOf, reason)
    ? kindOf[reason]!
    : reason.startsWith("proxy")
      ? "proxy"
      : /TLS|SSL|CERT|SIGNATURE|ISSUER/.test(reason)
        ? "tls"
        : "other"
