/** The words of how calls are refused and fail in Vietnamese. */
export const vietnamese = {
  failures: [
    [400, "invalid_request_error", "JSON sai, hoặc tham số thiếu hay sai; thông báo nêu tên tham số"],
    [401, "authentication_error", "API key thiếu, sai, đã thu hồi, đang tạm dừng hoặc hết hạn"],
    [
      402,
      "insufficient_balance",
      "Số dư, ngân sách còn lại của API key hoặc của người tạo key không đủ cho lượt gọi"
    ],
    [403, "permission_error", "API key không được dùng mô hình, endpoint hoặc địa chỉ này"],
    [404, "not_found_error", "Không có đường dẫn hoặc mô hình này"],
    [405, "invalid_request_error", "Đường dẫn này dùng phương thức khác; allow cho biết phương thức nào"],
    [
      413,
      "request_too_large",
      "Nội dung gửi lên vượt giới hạn: 20 MiB, nếu quản trị viên không đặt giới hạn khác"
    ],
    [415, "invalid_request_error", "Nội dung gửi lên bị nén: hãy gửi không kèm content-encoding"],
    [426, "invalid_request_error", "Đường dẫn này chỉ nhận POST, không nhận WebSocket"],
    [429, "rate_limit_error", "Chạm giới hạn; retry-after cho biết khi nào gọi lại"],
    [502, "api_error", "Nhà cung cấp gặp lỗi, dù là giữa câu trả lời: lượt gọi không tính tiền"],
    [503, "service_unavailable", "Bảo trì hoặc quá tải; retry-after cho biết khi nào gọi lại"]
  ] as ReadonlyArray<readonly [status: number, type: string, when: string]>,
  limits: {
    key: "Chạm giới hạn lượt gọi mỗi phút của chính API key; chưa hỏi đến nhà cung cấp",
    provider: "Chạm giới hạn của nhà cung cấp, không phải của API key"
  },
  left: "Bên gọi ngắt kết nối trước khi nhận xong câu trả lời"
}
