/** The words of what lies ahead of an account, in Vietnamese. */

export const vietnamese = {
  title: "Chi tiêu hai tuần qua",
  held: "Đang tạm giữ",
  heldHint: "Cho các lượt gọi đang chạy",
  daysLeft: "Đủ dùng khoảng",
  days: (count: string) => `${count} ngày`,
  daysLeftHint: "Theo mức chi tiêu của tuần qua",
  perDay: (day: string) => `Xem lượt gọi ngày ${day}`,
  chart: "Chi phí theo ngày",
  refusedTitle: (calls: string) => `${calls} lượt gọi bị từ chối (402) trong 24 giờ qua`,
  refusedSince: (first: string, last: string) => `Lần đầu ${first}, gần nhất ${last}.`,
  becauseBalance: (calls: string) => `${calls} lượt, vì số dư không đủ cho khoản tạm giữ của lượt gọi`,
  becauseBudget: (calls: string) =>
    `${calls} lượt, vì ngân sách còn lại của API key này không đủ cho khoản tạm giữ của lượt gọi`,
  becauseMemberBudget: (calls: string) =>
    `${calls} lượt, vì ngân sách còn lại của thành viên đã tạo API key này không đủ cho khoản tạm giữ của lượt gọi`,
  payNow: (amount: string) => `Nạp ${amount} bằng mã QR`,
  otherAmount: "Số tiền khác",
  raiseBudget: "Sửa ngân sách",
  seeCalls: "Xem các lượt gọi này"
}
