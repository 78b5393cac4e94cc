/** The words of the page of management tokens in Vietnamese. */
import type { Scope } from "../../../domain/management-scopes.ts"

const scopes: Readonly<Record<Scope, string>> = {
  "usage:read": "Xem số liệu sử dụng và lượt gọi",
  "keys:read": "Xem API key",
  "keys:write": "Tạo, sửa, đổi và thu hồi API key",
  "billing:read": "Xem sổ giao dịch, biên nhận và yêu cầu nạp tiền",
  "billing:write": "Tạo yêu cầu nạp tiền, sửa thông tin xuất hóa đơn",
  "alerts:read": "Xem cảnh báo và nhật ký gửi",
  "alerts:write": "Cài cảnh báo và webhook",
  "team:read": "Xem thành viên và nhật ký của tài khoản",
  "operator:read": "Quản trị: xem tài khoản, chuyển khoản, nhật ký",
  "operator:write": "Quản trị: vô hiệu hóa tài khoản, giá, bảo trì",
  "operator:money": "Quản trị: cộng tiền, gán chuyển khoản"
}

export const vietnamese = {
  title: "Token quản lý",
  intro: "Để chương trình của bạn dùng API quản lý. Token này không gọi được mô hình.",
  document: "Tài liệu OpenAPI",
  create: "Tạo token",
  empty: "Chưa có token nào",
  emptyHint: "Tạo token để chương trình đọc số liệu sử dụng hoặc quản lý API key.",
  name: "Tên token",
  nameHint: "Ví dụ: báo cáo hằng tháng.",
  days: "Thời hạn",
  daysOf: (days: number) => `${days} ngày`,
  scopesLegend: "Quyền",
  noScope: "Hãy chọn ít nhất một quyền.",
  passwordHint: "Nhập mật khẩu để tạo token. Thao tác này được ghi vào nhật ký.",
  createdTitle: "Token đã sẵn sàng",
  createdHint: "Hãy sao chép ngay: token chỉ hiện một lần.",
  token: "token",
  columnToken: "Token",
  columnScopes: "Quyền",
  columnUsed: "Lần dùng cuối",
  columnEnds: "Hết hạn",
  expired: "Đã hết hạn",
  revoked: "Đã thu hồi",
  former: (count: number) => `Token hết hiệu lực (${count})`,
  revoke: "Thu hồi",
  revokeTitle: (name: string) => `Thu hồi “${name}”?`,
  revokeHint: "Chương trình dùng token này sẽ bị từ chối ngay. Không thể hoàn tác.",
  revokedToast: "Đã thu hồi token",
  scopes
}
