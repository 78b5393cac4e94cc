/** The words of one's own account in English. */
import type { vietnamese } from "./account-vi.ts"

export const english: typeof vietnamese = {
  title: "Account",
  alerts: "Manage alerts",
  profile: "Profile",
  id: "Account id",
  changePassword: "Change password",
  changePasswordHint: "Your other sessions will end.",
  changed: "The password is changed",
  sessions: "Sessions",
  current: "This session",
  lastSeen: (when) => `Active ${when}`,
  end: "End",
  ended: "The session is ended",
  tokens: "Management tokens",
  unknownDevice: "Unknown device"
}
