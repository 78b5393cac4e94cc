/** The mail with the link by which somebody begins to act for an account. */
import { type MailServer, sendMail } from "./send-mail.ts"

/** Nothing in it was typed by whoever invites, but the address of their own account. */
export const sendInvitationMail = (
  mail: MailServer,
  to: string,
  { account, link }: { readonly account: string; readonly link: string }
): Promise<void> =>
  sendMail(mail, {
    to,
    subject: "Tollgate: lời mời tham gia tài khoản / invitation to an account",
    text: [
      `Bạn được mời tham gia tài khoản ${account} trên Tollgate. Mở liên kết sau trong vòng 7 ngày:`,
      `You are invited to the account ${account} on Tollgate. Open this link within 7 days:`,
      "",
      link,
      "",
      "Nếu bạn không biết tài khoản này, hãy bỏ qua thư này. If you do not know this account, ignore this mail."
    ].join("\n")
  })

export const invitationUrl = (publicUrl: string, token: string): string =>
  `${publicUrl}/dashboard/join?token=${token}`
