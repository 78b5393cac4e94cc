/** Authorities and certificates of tests, made anew for each run: Node has no maker of certificates. RFC 5280. */
import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"
import { isIP } from "node:net"

export interface Certificate {
  readonly key: string
  readonly cert: string
}

export interface Authority extends Certificate {
  /** A certificate for these host names and addresses of IPv4, which serves for clients too. */
  issue(...hosts: ReadonlyArray<string>): Certificate
}

/** Vouches for nobody but those whom it has issued certificates to. */
export const makeAuthority = (name = "Test authority"): Authority => {
  const privateKey = newKey()
  const cert = certify({
    subject: name,
    issuer: name,
    key: privateKey,
    signer: privateKey,
    extensions: [isAuthority]
  })
  const issue = (...hosts: ReadonlyArray<string>): Certificate => {
    const key = newKey()
    const extensions = [namesOf(hosts)]
    return {
      key: pemOf(key),
      cert: certify({ subject: hosts[0]!, issuer: name, key, signer: privateKey, extensions })
    }
  }
  return { key: pemOf(privateKey), cert, issue }
}

/** A certificate for `localhost` that signs itself. */
export const selfSigned = (): Certificate => {
  const key = newKey()
  const [subject, extensions] = ["localhost", [namesOf(["localhost"])]]
  return { key: pemOf(key), cert: certify({ subject, issuer: subject, key, signer: key, extensions }) }
}

const newKey = (): KeyObject => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey
const pemOf = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }) as string

const tagged = (tag: number, ...parts: ReadonlyArray<Buffer>): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: ReadonlyArray<Buffer>) => tagged(0x30, ...parts)
const object = (hex: string) => tagged(0x06, Buffer.from(hex, "hex"))
const time = (year: number) => tagged(0x18, Buffer.from(`${year}0101000000Z`))
const integer = (bytes: Buffer) => tagged(0x02, bytes)

const ecdsaWithSha256 = sequence(object("2a8648ce3d040302"))
const commonName = object("550403")
const nameOf = (name: string) => sequence(tagged(0x31, sequence(commonName, tagged(0x0c, Buffer.from(name)))))

const basicConstraints = object("551d13")
const isAuthority = sequence(
  basicConstraints,
  tagged(0x01, Buffer.of(0xff)),
  tagged(0x04, sequence(tagged(0x01, Buffer.of(0xff))))
)

const subjectAltName = object("551d11")
const namesOf = (hosts: ReadonlyArray<string>) => {
  const names = hosts.map((host) =>
    isIP(host) === 4
      ? tagged(0x87, Buffer.from(host.split(".").map(Number)))
      : tagged(0x82, Buffer.from(host))
  )
  return sequence(subjectAltName, tagged(0x04, sequence(...names)))
}

interface Contents {
  readonly subject: string
  readonly issuer: string
  readonly key: KeyObject
  readonly signer: KeyObject
  readonly extensions: ReadonlyArray<Buffer>
}

const certify = ({ extensions, issuer, key, signer, subject }: Contents): string => {
  const toBeSigned = sequence(
    tagged(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(time(2020), time(2100)),
    nameOf(subject),
    createPublicKey(key).export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(...extensions))
  )
  const signature = tagged(0x03, Buffer.of(0), sign("sha256", toBeSigned, signer))
  const base64 = sequence(toBeSigned, ecdsaWithSha256, signature).toString("base64")
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`
}
