/** The words of the page of management tokens in Vietnamese. */
import type { Scope } from "../../../domain/management-scopes.ts"

const scopes: Readonly<Record<Scope, string>> = {
  "usage:read": "Xem sử dụng và các lượt gọi",
  "keys:read": "Xem API key",
  "keys:write": "Tạo, sửa, đổi và thu hồi API key",
  "billing:read": "Xem sổ giao dịch, biên nhận và lệnh nạp",
  "billing:write": "Tạo lệnh nạp, sửa thông tin xuất hóa đơn",
  "alerts:read": "Xem cảnh báo và những gì đã gửi",
  "alerts:write": "Cài cảnh báo và webhook",
  "operator:read": "Vận hành: xem tài khoản, giao dịch, nhật ký",
  "operator:write": "Vận hành: khóa tài khoản, giá, bảo trì",
  "operator:money": "Vận hành: cộng tiền, ghép giao dịch"
}

export const vietnamese = {
  title: "Token quản lý",
  intro: "Cho chương trình dùng API quản lý thay bạn. Không dùng để gọi mô hình.",
  document: "Tài liệu OpenAPI",
  create: "Tạo token",
  empty: "Chưa có token nào",
  emptyHint: "Tạo token để chương trình đọc số liệu sử dụng hay quản lý API key.",
  name: "Tên token",
  nameHint: "Ví dụ: báo cáo hằng tháng.",
  days: "Hiệu lực",
  daysOf: (days: number) => `${days} ngày`,
  scopesLegend: "Quyền",
  noScope: "Hãy chọn ít nhất một quyền.",
  passwordHint: "Nhập mật khẩu để tạo token. Việc này được ghi vào nhật ký.",
  createdTitle: "Token đã sẵn sàng",
  createdHint: "Sao chép ngay: token không được hiện lại.",
  token: "token",
  done: "Xong",
  columnToken: "Token",
  columnScopes: "Quyền",
  columnUsed: "Dùng gần nhất",
  columnEnds: "Hết hạn",
  expired: "Đã hết hạn",
  revoked: "Đã thu hồi",
  former: (count: number) => `Token không còn hiệu lực (${count})`,
  revoke: "Thu hồi",
  revokeTitle: (name: string) => `Thu hồi “${name}”?`,
  revokeHint: "Chương trình dùng token này bị từ chối ngay. Không thể hoàn tác.",
  revokedToast: "Token đã bị thu hồi",
  scopes
}
