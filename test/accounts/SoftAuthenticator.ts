/** An authenticator without a device: answers what a page asks of passkeys, as WebAuthn (Level 3, section 6) lays it out. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto"

interface Asked {
  readonly challenge: string
}

interface Lies {
  readonly origin?: string
  /** False: somebody has the device, but did not show that they are its owner. */
  readonly isVerified?: boolean
}

const userPresent = 0x01
const userVerified = 0x04
const hasCredential = 0x40

export class SoftAuthenticator {
  readonly #id = randomBytes(16)
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" })
  readonly #origin: string

  constructor(origin: string) {
    this.#origin = origin
  }

  create(asked: Asked, lies: Lies = {}) {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.#id.length)
    const credential = Buffer.concat([Buffer.alloc(16), length, this.#id, this.#coseKey()])
    const data = Buffer.concat([this.#authenticatorData(hasCredential, lies), credential])
    const attestation = Buffer.concat([
      Buffer.from("a363666d74646e6f6e656761747453746d74a0686175746844617461", "hex"),
      Buffer.from([0x58, data.length]),
      data
    ])
    return this.#answer({
      clientDataJSON: this.#clientData("webauthn.create", asked, lies).toString("base64url"),
      attestationObject: attestation.toString("base64url"),
      transports: ["internal"]
    })
  }

  get(asked: Asked, lies: Lies = {}) {
    const data = this.#authenticatorData(0, lies)
    const client = this.#clientData("webauthn.get", asked, lies)
    const signed = Buffer.concat([data, sha256(client)])
    return this.#answer({
      clientDataJSON: client.toString("base64url"),
      authenticatorData: data.toString("base64url"),
      signature: sign("sha256", signed, this.#keys.privateKey).toString("base64url")
    })
  }

  #answer(response: object) {
    const id = this.#id.toString("base64url")
    return { response: { id, rawId: id, type: "public-key", response, clientExtensionResults: {} } }
  }

  #clientData(type: string, { challenge }: Asked, { origin = this.#origin }: Lies): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #authenticatorData(flags: number, { isVerified = true }: Lies): Buffer {
    const host = sha256(Buffer.from(new URL(this.#origin).hostname))
    return Buffer.concat([
      host,
      Buffer.from([flags | userPresent | (isVerified ? userVerified : 0)]),
      Buffer.alloc(4)
    ])
  }

  /** ES256, in CBOR. */
  #coseKey(): Buffer {
    const { x, y } = this.#keys.publicKey.export({ format: "jwk" })
    return Buffer.concat([
      Buffer.from("a5010203262001215820", "hex"),
      Buffer.from(x!, "base64url"),
      Buffer.from("225820", "hex"),
      Buffer.from(y!, "base64url")
    ])
  }
}

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest()
