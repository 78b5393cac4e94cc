/** The words of getting a new password, in Vietnamese. */
export const vietnamese = {
  forgotTitle: "Quên mật khẩu",
  forgotIntro: "Nhập email của tài khoản để đặt lại mật khẩu.",
  forgotSend: "Gửi yêu cầu",
  forgotMailed: "Nếu email này đã đăng ký, chúng tôi vừa gửi liên kết đặt lại mật khẩu tới đó.",
  forgotAsked: "Đã nhận yêu cầu. Quản trị viên sẽ gửi cho bạn liên kết đặt lại mật khẩu.",
  resetTitle: "Đặt mật khẩu mới",
  resetIntro: "Bạn sẽ bị đăng xuất khỏi mọi thiết bị khác.",
  resetSave: "Lưu mật khẩu",
  resetDone: "Đã đổi mật khẩu. Hãy đăng nhập."
}
