/** How topping up may end otherwise than by the sum that was ordered, in Vietnamese. */

export const vietnamese = {
  differs: (ordered: string, came: string) =>
    `Số tiền nhận được khác với yêu cầu: bạn chọn nạp ${ordered}, ngân hàng báo có ${came}.`,
  expired: "Mã QR đã hết hạn",
  expiredHint: "Nếu bạn đã chuyển khoản, tiền vẫn vào ví. Nếu chưa, hãy tạo mã mới.",
  newCode: (amount: string) => `Tạo mã mới cho ${amount}`,
  problems: {
    top_up_closed: "Chức năng nạp tiền chưa được mở.",
    amount_not_a_number: "Hãy nhập số tiền nguyên, ví dụ 500.000 hoặc 500k.",
    amount_too_small: "Số tiền tối thiểu là 50.000 ₫.",
    amount_too_large: "Mỗi lần nạp tối đa 500.000.000 ₫.",
    top_up_unavailable: "Chưa lấy được mã thanh toán từ ngân hàng. Hãy thử lại sau ít phút."
  }
}
