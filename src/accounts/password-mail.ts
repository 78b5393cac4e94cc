/** Sends the link that sets a new password, where a mail server is configured. */
import { chooseProxy, placeOf, type Proxies } from "../config/choose-proxy.ts"
import type { MailSettings } from "../config/settings.ts"
import { openTunnel } from "../outgoing/open-tunnel.ts"
import { trustSystem } from "../outgoing/trust-system.ts"

const timeLimits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

export interface MailServer extends MailSettings {
  readonly proxies: Proxies
}

export const sendPasswordMail = async (mail: MailServer, to: string, link: string): Promise<void> => {
  const { createTransport } = await import("nodemailer")
  trustSystem()
  const place = placeOf(mail.url)
  const proxy = chooseProxy(mail.proxies, place)
  const options = { url: mail.url, ...timeLimits }
  const transport =
    proxy === undefined
      ? createTransport(options)
      : createTransport({
          ...options,
          getSocket: (_, done) => {
            openTunnel(proxy, place, timeLimits.connectionTimeout, (failure, connection) =>
              failure === undefined ? done(null, { connection }) : done(failure, false)
            )
          }
        })
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
