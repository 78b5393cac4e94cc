/** The words of one's own account in English. */
import type { vietnamese } from "./account-vi.ts"

export const english: typeof vietnamese = {
  title: "Account",
  alerts: "Manage alerts",
  profile: "Profile",
  id: "Account ID",
  changePassword: "Change password",
  changePasswordHint: "You'll be signed out everywhere else.",
  changed: "Password changed",
  sessions: "Sessions",
  current: "This session",
  lastSeen: (when) => `Active ${when}`,
  end: "Sign out",
  ended: "Signed out of that session",
  tokens: "Management tokens",
  unknownDevice: "Unknown device"
}
