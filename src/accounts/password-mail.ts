/** The mail with the link that sets a new password. */
import { type MailServer, sendMail } from "./send-mail.ts"

export const sendPasswordMail = (mail: MailServer, to: string, link: string): Promise<void> =>
  sendMail(mail, {
    to,
    subject: "Tollgate: đặt lại mật khẩu / reset your password",
    text: [
      "Mở liên kết sau trong vòng một giờ để đặt mật khẩu mới:",
      "Open this link within one hour to set a new password:",
      "",
      link,
      "",
      "Nếu bạn không yêu cầu, hãy bỏ qua thư này. If you did not ask for it, ignore this mail."
    ].join("\n")
  })
