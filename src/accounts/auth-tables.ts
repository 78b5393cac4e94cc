/** How better-auth's models are called in our tables, and how often its actions may be asked for from one address. */
import { makeRecoveryCode } from "../domain/second-factor-codes.ts"
import { resetIdentifier, resetPrefix } from "./reset-link.ts"

export const times = { createdAt: "created_at", updatedAt: "updated_at" }

export const customRules = {
  "/two-factor/*": { window: 60, max: 30 },
  "/sign-in/social": { window: 60, max: 30 },
  "/passkey/*": { window: 60, max: 60 },
  "/callback/*": { window: 60, max: 30 },
  "/sign-in/email": { window: 60, max: 10 },
  // Many customers share one address of their mobile carrier.
  "/sign-up/email": { window: 3_600, max: 40 },
  "/change-password": { window: 600, max: 10 }
}

export const twoFactorOptions = {
  issuer: "Tollgate",
  allowPasswordless: true,
  backupCodeOptions: { customBackupCodesGenerate: () => Array.from({ length: 10 }, makeRecoveryCode) },
  schema: {
    user: { fields: { twoFactorEnabled: "two_factor_enabled" } },
    twoFactor: {
      modelName: "two_factors",
      fields: {
        backupCodes: "backup_codes",
        userId: "person_id",
        failedVerificationCount: "failed_verification_count",
        lockedUntil: "locked_until"
      }
    }
  }
}

export const credentialFields = {
  userId: "person_id",
  accountId: "subject",
  providerId: "provider",
  accessToken: "access_token",
  refreshToken: "refresh_token",
  idToken: "id_token",
  accessTokenExpiresAt: "access_token_expires_at",
  refreshTokenExpiresAt: "refresh_token_expires_at",
  ...times
}

export const verificationOptions = {
  modelName: "verifications",
  fields: { expiresAt: "expires_at", ...times },
  // What else is kept there is of no use without a cookie that is signed.
  storeIdentifier: {
    default: "plain" as const,
    overrides: {
      [resetPrefix]: {
        hash: async (identifier: string) => resetIdentifier(identifier.slice(resetPrefix.length))
      }
    }
  }
}
