/** The words of one's own account in Vietnamese. */
export const vietnamese = {
  title: "Tài khoản",
  alerts: "Quản lý cảnh báo",
  profile: "Thông tin",
  id: "Mã tài khoản",
  changePassword: "Đổi mật khẩu",
  changePasswordHint: "Các phiên đăng nhập khác sẽ kết thúc.",
  changed: "Đã đổi mật khẩu",
  sessions: "Phiên đăng nhập",
  current: "Phiên này",
  lastSeen: (when: string) => `Hoạt động ${when}`,
  end: "Kết thúc",
  ended: "Đã kết thúc phiên",
  tokens: "Token quản lý",
  unknownDevice: "Thiết bị không rõ"
}
