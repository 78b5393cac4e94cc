/** The words around what operators say of maintenance in Vietnamese. */
export const vietnamese = {
  maintenance: "Đang bảo trì:",
  announcement: "Thông báo:",
  standing: "lượt gọi mới tạm thời bị từ chối.",
  until: (time: string) => `Dự kiến xong: ${time}`,
  announce: "Thông báo cho khách hàng",
  change: "Sửa lời nhắn",
  shown: "Khách hàng đang thấy",
  message: "Lời nhắn tiếng Việt",
  messageHint: "Hiện ở đầu mọi trang khi khách đăng nhập và trong lỗi 503 khi bảo trì; tối đa 300 ký tự.",
  messageNeeded: "Hãy nhập lời nhắn tiếng Việt.",
  messageEn: "Lời nhắn tiếng Anh (không bắt buộc)",
  messageEnHint: "Dành cho khách dùng tiếng Anh và trong lỗi 503.",
  untilField: "Dự kiến xong (giờ Việt Nam, không bắt buộc)",
  untilHint: "Qua giờ này thông báo tự ẩn; bảo trì vẫn tiếp tục cho đến khi bạn tắt.",
  untilBad: "Chọn một thời điểm sắp tới, trong vòng một năm.",
  emptyHint: "Xóa trống lời nhắn để gỡ thông báo.",
  save: "Lưu lời nhắn",
  saved: "Đã cập nhật lời nhắn"
}
