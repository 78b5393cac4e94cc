/** The words of what may be set on a key, in Vietnamese. */
export const vietnamese = {
  edit: "Sửa",
  editTitle: (name: string) => `Sửa “${name}”`,
  save: "Lưu",
  savedToast: "Đã lưu. Có hiệu lực từ lượt gọi kế tiếp.",
  more: "Ngân sách và giới hạn",
  budget: "Ngân sách",
  budgetHint: "Mức chi tối đa của key này. Để trống để dùng toàn bộ số dư.",
  budgetBad: "Hãy nhập số tiền lớn hơn 0, ví dụ 500.000 hoặc 500k.",
  budgetPeriod: "Kỳ ngân sách",
  periods: { total: "Tổng cộng", day: "Mỗi ngày", week: "Mỗi tuần", month: "Mỗi tháng" },
  ofBudget: (spent: string, budget: string) => `${spent} / ${budget}`,
  ownBudget: "Ngân sách chung cho các API key do bạn tạo",
  resets: (day: string) => `bắt đầu lại ngày ${day}`,
  models: "Mô hình",
  modelsHint:
    "ID mô hình, cách nhau bằng dấu phẩy; claude-* là mọi mô hình bắt đầu bằng claude-. Để trống để cho phép tất cả.",
  endpoints: "Endpoint",
  endpointsHint: "Không chọn mục nào nghĩa là cho phép tất cả.",
  addresses: "Địa chỉ IP được phép",
  addressesHint: "Ví dụ 203.0.113.7, 10.0.0.0/8 hoặc 2001:db8::/32. Để trống để cho phép mọi địa chỉ.",
  lastDay: "Ngày hết hạn",
  lastDayHint: "Key hết hạn vào cuối ngày này, giờ Việt Nam. Để trống nếu không có hạn.",
  pause: "Tạm dừng",
  resume: "Bật lại",
  madeBy: (email: string) => `do ${email} tạo`,
  paused: "Đang tạm dừng",
  expired: "Hết hạn",
  pausedToast: "Đã tạm dừng API key",
  resumedToast: "API key đã hoạt động trở lại",
  rotate: "Đổi key mới",
  rotateTitle: (name: string) => `Đổi key mới cho “${name}”`,
  rotateHint: "Cài đặt và lịch sử sử dụng được giữ nguyên. Nhập mật khẩu để nhận key mới.",
  overlap: "Key cũ còn dùng được bao lâu",
  overlapDays: (days: number) =>
    days === 0 ? "Key cũ hết hiệu lực ngay" : `Key cũ dùng được thêm ${days} ngày`,
  formerUntil: (when: string) => `Key cũ dùng được đến ${when}.`,
  formerEnds: (when: string) =>
    `Key trước key này, vốn còn dùng được đến ${when}, sẽ hết hiệu lực ngay: mỗi lần chỉ giữ lại một key cũ.`,
  problems: {
    too_many_keys: "Bạn đã có đủ 10 API key đang hoạt động. Hãy thu hồi bớt.",
    key_not_showable: "Không xem lại được API key này.",
    secret_replaced: "Khóa đã được thay từ khi trang này được tải. Hãy đóng lại và xem lại."
  }
}
