/** The words of the operator's desk in Vietnamese: the search and a customer's page. */
export const vietnamese = {
  search: {
    title: "Tìm kiếm",
    label: "Tìm khách hàng",
    hint: "Email, tên, API key, mã yêu cầu, mã nạp tiền, nội dung chuyển khoản, công ty hoặc mã số thuế.",
    short: "Nhập ít nhất 3 ký tự.",
    none: "Không tìm thấy gì",
    noneHint: "Mã yêu cầu, mã nạp tiền và mã số thuế phải nhập đầy đủ; những mục khác có thể nhập một phần.",
    nobody: "Chưa gán cho ai",
    kinds: {
      call: "Lượt gọi",
      key: "API key",
      order: "Yêu cầu nạp tiền",
      transfer: "Chuyển khoản",
      account: "Tài khoản",
      person: "Người dùng",
      billing: "Thông tin xuất hóa đơn"
    }
  }
}
