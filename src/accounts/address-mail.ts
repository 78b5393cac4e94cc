/** The mail with the link that says whose an address is, and the one that tells the former address. */
import { type MailServer, sendMail } from "./send-mail.ts"

export const sendAddressMail = (mail: MailServer, to: string, link: string): Promise<void> =>
  sendMail(mail, {
    to,
    subject: "Tollgate: xác minh địa chỉ email / verify your email",
    text: [
      "Mở liên kết sau trong vòng 24 giờ để xác nhận đây là email của bạn:",
      "Open this link within 24 hours to confirm that this is your email address:",
      "",
      link,
      "",
      "Nếu bạn không yêu cầu, hãy bỏ qua thư này. If you did not ask for it, ignore this mail."
    ].join("\n")
  })

/** Of the new address it says nothing: whoever reads the former one may be somebody else by now. */
export const sendFormerAddressMail = (mail: MailServer, to: string): Promise<void> =>
  sendMail(mail, {
    to,
    subject: "Tollgate: email của tài khoản đã được đổi / your account's email was changed",
    text: [
      "Tài khoản Tollgate của bạn từ nay dùng một địa chỉ email khác thay cho địa chỉ này.",
      "Your Tollgate account has another email address from now on, in place of this one.",
      "",
      "Nếu không phải bạn đổi, hãy báo ngay cho người vận hành. If that wasn't you, tell the operator at once."
    ].join("\n")
  })
