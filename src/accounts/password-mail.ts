/** Sends the link that sets a new password, where a mail server is configured. */

const timeLimits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

export const sendPasswordMail = async (
  mail: { readonly url: string; readonly from: string },
  to: string,
  link: string
): Promise<void> => {
  const { createTransport } = await import("nodemailer")
  const transport = createTransport({ url: mail.url, ...timeLimits })
  try {
    await transport.sendMail({
      from: mail.from,
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
  } finally {
    transport.close()
  }
}
