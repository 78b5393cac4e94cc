/** Who calls Bedrock: a bearer key, or an AWS signature, which is checked in full for the simulator's own credentials. */
import { createHash, createHmac } from "node:crypto"
import type { Call, Complaint } from "../Protocol.ts"

/** Credentials whose signatures the simulator can check; others are checked for their form. */
export const simulatorCredentials = {
  accessKeyId: "AKIASIMULATOR0000000",
  secretAccessKey: "simulator-secret"
}

const forbidden = (code: string, message: string): Complaint => ({ status: 403, code, message })

const authorizationForm =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([a-z0-9-]+)\/([a-z-]+)\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/

export const authenticate = (call: Call): Complaint | undefined => {
  const authorization = call.headers["authorization"] ?? ""
  const bearer = /^Bearer (.+)$/i.exec(authorization)?.[1]
  if (bearer !== undefined)
    return bearer.includes("invalid")
      ? forbidden("AccessDeniedException", "Authentication failed: Please make sure your API Key is valid.")
      : undefined
  if (authorization === "")
    return forbidden("MissingAuthenticationTokenException", "Missing Authentication Token")
  const form = authorizationForm.exec(authorization)
  if (form === null)
    return forbidden(
      "IncompleteSignatureException",
      "Authorization header requires 'Credential', 'SignedHeaders' and 'Signature' parameters."
    )
  const [, accessKeyId, date, region, service, signedHeaders, signature] =
    form as unknown as ReadonlyArray<string>
  if (service !== "bedrock")
    return forbidden(
      "InvalidSignatureException",
      "Credential should be scoped to correct service: 'bedrock'. "
    )
  const names = signedHeaders!.split(";")
  if (!names.includes("host") || !names.includes("x-amz-date"))
    return forbidden(
      "InvalidSignatureException",
      "'Host' and 'X-Amz-Date' must be signed headers in the Authorization header."
    )
  if (accessKeyId !== simulatorCredentials.accessKeyId) return undefined
  const scope = `${date}/${region}/${service}/aws4_request`
  return sign(call, names, date!, region!, scope) === signature
    ? undefined
    : forbidden(
        "InvalidSignatureException",
        "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details."
      )
}

const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex")
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest()

const sign = (
  call: Call,
  names: ReadonlyArray<string>,
  date: string,
  region: string,
  scope: string
): string => {
  const canonical = [
    call.method.toUpperCase(),
    // Every service but S3 has the path as sent encoded once more.
    call.path.split("/").map(encode).join("/"),
    call.query,
    ...names.map((name) => `${name}:${(call.headers[name] ?? "").trim().replace(/ +/g, " ")}`),
    "",
    names.join(";"),
    call.headers["x-amz-content-sha256"] ?? sha256(call.raw)
  ].join("\n")
  const text = ["AWS4-HMAC-SHA256", call.headers["x-amz-date"], scope, sha256(canonical)].join("\n")
  const key = [date, region, "bedrock", "aws4_request"].reduce<string | Buffer>(
    hmac,
    `AWS4${simulatorCredentials.secretAccessKey}`
  )
  return hmac(key, text).toString("hex")
}

const encode = (segment: string): string =>
  encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  )
