/** What can go wrong when one tops up, in Vietnamese. */

export const vietnamese = {
  problems: {
    top_up_closed: "Chức năng nạp tiền chưa được mở.",
    amount_not_a_number: "Hãy nhập số tiền nguyên, ví dụ 500.000 hoặc 500k.",
    amount_too_small: "Số tiền tối thiểu là 50.000 ₫.",
    amount_too_large: "Số tiền quá lớn cho một lần nạp.",
    top_up_unavailable: "Chưa lấy được mã thanh toán từ ngân hàng. Hãy thử lại sau ít phút."
  }
}
