/** The mail with the link that says whose an address is. */
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
