/** The words of one's own account in Vietnamese. */
export const vietnamese = {
  title: "Tài khoản",
  alerts: "Quản lý cảnh báo",
  profile: "Thông tin",
  id: "Mã tài khoản",
  changePassword: "Đổi mật khẩu",
  changePasswordHint: "Bạn sẽ bị đăng xuất khỏi các thiết bị khác.",
  changed: "Đã đổi mật khẩu",
  sessions: "Phiên đăng nhập",
  current: "Phiên này",
  lastSeen: (when: string) => `Hoạt động ${when}`,
  end: "Đăng xuất",
  ended: "Đã đăng xuất thiết bị",
  tokens: "Token quản lý",
  unknownDevice: "Thiết bị không xác định"
}
