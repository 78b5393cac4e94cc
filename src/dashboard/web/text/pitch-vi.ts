/** What the product is, in Vietnamese. */
export const vietnamese = {
  title: "Một API key, mọi mô hình.",
  pitch: "Nạp trước bằng VND, trừ tiền chính xác đến từng token. Dùng ngay với SDK và công cụ bạn đang có.",
  points: [
    "Nạp tiền bằng mã QR, tiền vào ngay",
    "Giá bằng VND, không làm tròn, không phí ẩn",
    "Không lưu nội dung câu hỏi và câu trả lời"
  ]
}
