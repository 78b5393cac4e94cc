/** What can go wrong, in Vietnamese. */

export const vietnameseProblems = {
  network: "Không kết nối được. Kiểm tra mạng rồi thử lại.",
  unknown: "Có lỗi xảy ra. Vui lòng thử lại sau.",
  ambiguousAmount: (inThousands: string, withFraction: string) =>
    `Số này có thể hiểu theo hai cách. Hãy nhập ${inThousands} nếu là hàng nghìn, hoặc ${withFraction} nếu là số lẻ.`,
  codes: {
    invalid: "Thông tin chưa hợp lệ.",
    unfinished_date: "Có ngày nhập chưa đủ hoặc không tồn tại. Hãy nhập đủ hoặc xóa trống.",
    not_found: "Không tìm thấy.",
    signed_out: "Phiên đã hết hạn. Vui lòng đăng nhập lại.",
    signed_in_anew: "Người khác vừa đăng nhập. Chưa có gì thay đổi.",
    account_disabled: "Tài khoản này đã bị vô hiệu hóa hoặc đã đóng. Hãy liên hệ quản trị viên.",
    address_unverified: "Email của tài khoản này chưa được xác minh.",
    not_a_member: "Bạn không còn là thành viên của tài khoản này.",
    role_forbids: "Vai trò của bạn không được làm việc này.",
    too_many_tokens: "Bạn đã có đủ 20 token. Hãy thu hồi bớt.",
    key_revoked: "API key này đã bị thu hồi.",
    wrong_password: "Mật khẩu không đúng.",
    too_many_tries: "Bạn đã thử quá nhiều lần. Vui lòng đợi ít phút.",
    too_many_exports: "Bạn đang tải hai tệp khác. Hãy đợi tải xong.",
    period_too_long: "Khoảng thời gian quá dài.",
    not_confirmed: "Đã lưu, nhưng một máy chủ chưa xác nhận. Hãy thử lại.",
    last_owner: "Đây là chủ hệ thống cuối cùng. Hãy trao vai trò này cho người khác trước.",
    email_taken: "Email này thuộc về một tài khoản khác.",
    too_large: "Nội dung gửi lên quá lớn.",
    foreign_origin: "Trang này không đúng địa chỉ của dịch vụ. Hãy mở lại từ địa chỉ chính.",
    unavailable: "Dịch vụ tạm thời gián đoạn. Vui lòng thử lại.",
    INVALID_EMAIL_OR_PASSWORD: "Email hoặc mật khẩu không đúng.",
    INVALID_PASSWORD: "Mật khẩu hiện tại không đúng.",
    USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: "Email này đã có tài khoản.",
    FAILED_TO_CREATE_USER: "Không thể tạo tài khoản với email này.",
    PASSWORD_TOO_SHORT: "Mật khẩu cần ít nhất 10 ký tự.",
    PASSWORD_TOO_LONG: "Mật khẩu chỉ được có tối đa 128 ký tự.",
    INVALID_EMAIL: "Email không hợp lệ.",
    INVALID_TOKEN: "Liên kết đã hết hạn hoặc đã dùng.",
    SESSION_EXPIRED: "Phiên đã hết hạn. Vui lòng đăng nhập lại."
  }
}

export type Problems = typeof vietnameseProblems
