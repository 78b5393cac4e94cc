/** The words of the operator's desk in Vietnamese: the service, the search and a customer's page. */
export const vietnamese = {
  service: {
    ofThisServer: "chỉ máy chủ này",
    settingsApart: (parts: string) =>
      `Cấu hình của các máy chủ khác nhau ở: ${parts}. Giá và giới hạn của một lượt gọi, cũng như những gì khách hàng thấy và nhận được, tùy thuộc vào máy chủ xử lý.`
  },
  search: {
    title: "Tìm kiếm",
    label: "Tìm khách hàng",
    hint: "Email, tên, API key, mã request, mã nạp tiền, nội dung chuyển khoản, mã giao dịch ngân hàng, công ty hoặc mã số thuế.",
    short: "Nhập ít nhất 3 ký tự.",
    none: "Không tìm thấy gì",
    noneHint:
      "Mã request, mã nạp tiền, mã giao dịch ngân hàng và mã số thuế phải nhập đầy đủ; những mục khác có thể nhập một phần.",
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
  },
  customer: {
    closed: "Khách đã đóng",
    memberOf: "Còn là thành viên của",
    views: "Các mục của khách hàng",
    viewNames: {
      overview: "Tổng quan",
      usage: "Lượt dùng",
      statement: "Sổ giao dịch",
      keys: "API key",
      members: "Thành viên",
      mail: "Email và webhook"
    }
  },
  mail: {
    sent: "Cảnh báo đã gửi",
    sentHint:
      "Email và webhook cảnh báo, cùng kết quả của lần thử cuối. Email chứa liên kết đặt mật khẩu hoặc xác minh đã gửi được hay chưa thì xem ở mục “Đăng nhập”. Lời mời không gửi được chỉ có trong nhật ký máy chủ.",
    wanted: "Khách muốn được báo",
    mailTo: (email: string) => `Email tới ${email}`,
    noMail: "Không gửi email nào",
    webhook: "Webhook",
    waysIn: "Đăng nhập",
    nobody: "Không ai đăng nhập được vào tài khoản này.",
    by: "Cách đăng nhập",
    password: "mật khẩu",
    totp: "mã từ ứng dụng xác thực",
    passkeys: (count: number) => `${count} passkey`,
    elsewhere: (name: string, since: string) => `${name} từ ${since}`,
    noWay: "Chưa có, cần liên kết đặt mật khẩu",
    address: "Email",
    verified: "đã xác minh",
    unverified: "chưa xác minh",
    signedOut: "không có phiên nào",
    since: (when: string) => `từ ${when}`,
    links: { password: "Liên kết đặt mật khẩu chưa dùng", address: "Liên kết xác minh email chưa dùng" },
    mailed: (outcome: string) => `email: ${outcome}`,
    made: (when: string) => `tạo ${when}`,
    until: (when: string) => `hết hạn ${when}`
  },
  keys: {
    pause: "Tạm dừng",
    resume: "Bật lại",
    pauseHint: "Lượt gọi bằng key này bị từ chối ngay trên mọi máy chủ, cho đến khi key được bật lại.",
    resumeHint: "Key dùng lại được ngay trên mọi máy chủ.",
    paused: "Đã tạm dừng key",
    resumed: "Đã bật lại key",
    revokeHint: "Key của khách hàng ngừng hoạt động ngay trên mọi máy chủ và không thể khôi phục."
  },
  notes: {
    title: "Ghi chú nội bộ",
    hint: "Chỉ nhân viên thấy. Ghi chú không sửa hay xóa được.",
    save: "Thêm ghi chú",
    none: "Chưa có ghi chú"
  }
}
