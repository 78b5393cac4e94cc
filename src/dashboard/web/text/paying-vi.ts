/** What can go wrong when one tops up, in Vietnamese. */

export const vietnamese = {
  problems: {
    top_up_closed: "Chức năng nạp tiền chưa được mở.",
    amount_not_a_number: "Hãy nhập số tiền nguyên, ví dụ 500.000 hoặc 500k.",
    amount_too_small: "Số tiền tối thiểu là 50.000 ₫.",
    amount_too_large: "Mỗi lần nạp tối đa 500.000.000 ₫.",
    top_up_unavailable: "Chưa lấy được mã thanh toán từ ngân hàng. Hãy thử lại sau ít phút."
  }
}
