/**
 * Passwords are hashed as ever, but at a thousandth of their cost: it took a half of what the tests of people take. Of the program
 * itself `cli/account-commands.system.test.ts` tells what they cost.
 */
import crypto from "node:crypto"
import { syncBuiltinESMExports } from "node:module"

const { scrypt } = crypto

const quickly = (
  password: crypto.BinaryLike,
  salt: crypto.BinaryLike,
  length: number,
  options: crypto.ScryptOptions,
  callback: (error: Error | null, key: Buffer) => void
) => scrypt(password, salt, length, { ...options, N: 16 }, callback)

// The dashboard hashes them in the process of the tests.
Object.assign(crypto, { scrypt: quickly })
syncBuiltinESMExports()
