/** The words of alerts' mails. */
import type { AlertKind } from "../domain/alert-kinds.ts"
import type { Language } from "../domain/language.ts"

export interface MailFacts {
  readonly money: (name: string) => string
  readonly text: (name: string) => string
  /** Of whoever signed in; of IPv6 their network. */
  readonly address: string
  readonly number: (name: string) => string
  /** The name of the API key it is about. */
  readonly key: string
  /** The name of the member it is about. */
  readonly member: string
  readonly moment: (name: string) => string | undefined
}

interface Written {
  readonly subject: string
  readonly lines: ReadonlyArray<string>
  /** The page of the dashboard to go on from. */
  readonly place: string
}

interface MailWords {
  readonly open: string
  readonly closing: string
  /** Told to a member of whose account it is. */
  readonly closingForMember: (account: string) => string
  readonly kinds: Readonly<Record<AlertKind, (facts: MailFacts, at: string) => Written>>
}

const budgetEnd = (facts: MailFacts, words: (moment: string) => string): ReadonlyArray<string> => {
  const moment = facts.moment("resets_at")
  return moment === undefined ? [] : [words(moment)]
}

/** What has changed of how a person comes in; a word of a later version is told of without saying which. */
type Changes = Readonly<Record<string, string>>

const changesVi: Changes = {
  password: "mật khẩu được đổi",
  totp_on: "ứng dụng xác thực được bật",
  totp_off: "ứng dụng xác thực bị tắt",
  recovery_codes: "mã khôi phục được tạo mới",
  reset_factors: "toàn bộ xác thực hai bước bị gỡ",
  passkey_add: "một passkey được thêm",
  passkey_remove: "một passkey bị gỡ",
  sign_in_add: "một tài khoản khác được liên kết để đăng nhập",
  sign_in_remove: "một tài khoản liên kết bị gỡ"
}

const vi: MailWords = {
  open: "Mở trang quản lý",
  closing: "Bạn nhận thư này vì đã bật cảnh báo trên Tollgate. Thay đổi tại:",
  closingForMember: (account) => `Bạn nhận thư này vì là thành viên của tài khoản ${account} trên Tollgate.`,
  kinds: {
    "balance.low": (facts) => ({
      subject: `số dư còn ${facts.money("balance_vnd")}`,
      lines: [
        `Số dư của bạn còn ${facts.money("balance_vnd")}, dưới mức cảnh báo ${facts.money("below_vnd")}.`,
        "Nạp thêm tiền để các lượt gọi API không bị gián đoạn."
      ],
      place: "topup"
    }),
    "balance.empty": (facts) => ({
      subject: "số dư không đủ, lượt gọi API đang bị từ chối",
      lines: [
        `Số dư của bạn còn ${facts.money("balance_vnd")}, không đủ cho các lượt gọi API. Các lượt gọi đang bị từ chối với mã 402.`,
        "Dịch vụ hoạt động lại ngay khi bạn nạp tiền."
      ],
      place: "topup"
    }),
    "balance.days_left": (facts) => ({
      subject: `số dư đủ dùng khoảng ${facts.number("days_left")} ngày nữa`,
      lines: [
        `Với mức chi tiêu của tuần qua (khoảng ${facts.money("vnd_per_day")} mỗi ngày), số dư ${facts.money("balance_vnd")} đủ dùng khoảng ${facts.number("days_left")} ngày nữa.`
      ],
      place: "topup"
    }),
    "top_up.credited": (facts, at) => ({
      subject: `đã nạp ${facts.money("amount_vnd")}`,
      lines: [`Tài khoản của bạn được cộng ${facts.money("amount_vnd")} lúc ${at}.`],
      place: "statement"
    }),
    "budget.nearly_spent": (facts) => ({
      subject: `API key “${facts.key}” đã dùng 80% ngân sách`,
      lines: [
        `API key “${facts.key}” đã dùng ${facts.money("spent_vnd")} trên ngân sách ${facts.money("budget_vnd")}.`,
        ...budgetEnd(facts, (moment) => `Ngân sách bắt đầu kỳ mới lúc ${moment}.`)
      ],
      place: "keys"
    }),
    "budget.spent": (facts) => ({
      subject: `API key “${facts.key}” đã hết ngân sách`,
      lines: [
        `API key “${facts.key}” đã dùng hết ngân sách ${facts.money("budget_vnd")}. Các lượt gọi bằng key này đang bị từ chối.`,
        ...budgetEnd(facts, (moment) => `Ngân sách bắt đầu kỳ mới lúc ${moment}.`)
      ],
      place: "keys"
    }),
    "member_budget.nearly_spent": (facts) => ({
      subject: `thành viên ${facts.member} đã dùng 80% ngân sách`,
      lines: [
        `Các API key do ${facts.member} tạo đã dùng ${facts.money("spent_vnd")} trên ngân sách chung ${facts.money("budget_vnd")}.`,
        ...budgetEnd(facts, (moment) => `Ngân sách bắt đầu kỳ mới lúc ${moment}.`)
      ],
      place: "members"
    }),
    "member_budget.spent": (facts) => ({
      subject: `thành viên ${facts.member} đã hết ngân sách`,
      lines: [
        `Các API key do ${facts.member} tạo đã dùng hết ngân sách chung ${facts.money("budget_vnd")}. Các lượt gọi bằng những key này đang bị từ chối.`,
        ...budgetEnd(facts, (moment) => `Ngân sách bắt đầu kỳ mới lúc ${moment}.`)
      ],
      place: "members"
    }),
    "key.expiring": (facts) => ({
      subject: `API key “${facts.key}” sắp hết hạn`,
      lines: [`API key “${facts.key}” hết hạn lúc ${facts.moment("expires_at") ?? ""}.`],
      place: "keys"
    }),
    "key.created": (facts, at) => ({
      subject: `API key mới: “${facts.key}”`,
      lines: [`API key “${facts.key}” được tạo lúc ${at}.`, "Nếu không phải bạn tạo, hãy thu hồi ngay."],
      place: "keys"
    }),
    "key.rotated": (facts, at) => ({
      subject: `API key “${facts.key}” vừa được đổi`,
      lines: [`API key “${facts.key}” được đổi sang key mới lúc ${at}.`],
      place: "keys"
    }),
    "key.revoked": (facts, at) => ({
      subject: `API key “${facts.key}” đã bị thu hồi`,
      lines: [`API key “${facts.key}” bị thu hồi lúc ${at} và không còn dùng được.`],
      place: "keys"
    }),
    "sign_in.new": (facts, at) => ({
      subject: "đăng nhập từ thiết bị mới",
      lines: [
        `Có người vừa đăng nhập tài khoản của bạn lúc ${at}, từ địa chỉ IP ${facts.address}.`,
        `Trình duyệt: ${facts.text("user_agent")}`,
        "Nếu không phải bạn, hãy đổi mật khẩu và đăng xuất các thiết bị khác."
      ],
      place: "account"
    }),
    "security.changed": (facts, at) => ({
      subject: changesVi[facts.text("change")] ?? "cách đăng nhập của bạn thay đổi",
      lines: [
        `Lúc ${at}, với tài khoản của bạn: ${changesVi[facts.text("change")] ?? "cách đăng nhập thay đổi"}.`,
        "Nếu không phải bạn, hãy đổi mật khẩu, đăng xuất các thiết bị khác và báo cho người vận hành."
      ],
      place: "account"
    })
  }
}

const moreDays = (facts: MailFacts): string => {
  const days = facts.number("days_left")
  return `${days} more ${days === "1" ? "day" : "days"}`
}

const changesEn: Changes = {
  password: "your password was changed",
  totp_on: "your authenticator app was turned on",
  totp_off: "your authenticator app was turned off",
  recovery_codes: "new recovery codes were made",
  reset_factors: "all your second factors were removed",
  passkey_add: "a passkey was added",
  passkey_remove: "a passkey was removed",
  sign_in_add: "an account elsewhere was linked for signing in",
  sign_in_remove: "a linked account was removed"
}

const en: MailWords = {
  open: "Open the dashboard",
  closing: "You get this mail because alerts are on for your Tollgate account. Change them at:",
  closingForMember: (account) =>
    `You get this mail because you are a member of the Tollgate account ${account}.`,
  kinds: {
    "balance.low": (facts) => ({
      subject: `your balance is down to ${facts.money("balance_vnd")}`,
      lines: [
        `Your balance is ${facts.money("balance_vnd")}, below your alert level of ${facts.money("below_vnd")}.`,
        "Top up to keep your API calls running."
      ],
      place: "topup"
    }),
    "balance.empty": (facts) => ({
      subject: "out of balance, API calls are being refused",
      lines: [
        `Your balance is ${facts.money("balance_vnd")}, which no longer covers your API calls. They are being refused with status 402.`,
        "They work again as soon as you top up."
      ],
      place: "topup"
    }),
    "balance.days_left": (facts) => ({
      subject: `your balance lasts about ${moreDays(facts)}`,
      lines: [
        `At last week's pace of about ${facts.money("vnd_per_day")} a day, your balance of ${facts.money("balance_vnd")} lasts about ${moreDays(facts)}.`
      ],
      place: "topup"
    }),
    "top_up.credited": (facts, at) => ({
      subject: `${facts.money("amount_vnd")} added to your balance`,
      lines: [`We received your top-up of ${facts.money("amount_vnd")} on ${at}.`],
      place: "statement"
    }),
    "budget.nearly_spent": (facts) => ({
      subject: `API key “${facts.key}” has used 80% of its budget`,
      lines: [
        `API key “${facts.key}” has spent ${facts.money("spent_vnd")} of its ${facts.money("budget_vnd")} budget.`,
        ...budgetEnd(facts, (moment) => `The budget resets on ${moment}.`)
      ],
      place: "keys"
    }),
    "budget.spent": (facts) => ({
      subject: `API key “${facts.key}” has used up its budget`,
      lines: [
        `API key “${facts.key}” has used up its ${facts.money("budget_vnd")} budget. Calls with this key are being refused.`,
        ...budgetEnd(facts, (moment) => `The budget resets on ${moment}.`)
      ],
      place: "keys"
    }),
    "member_budget.nearly_spent": (facts) => ({
      subject: `${facts.member} has used 80% of their budget`,
      lines: [
        `The API keys ${facts.member} made have spent ${facts.money("spent_vnd")} of their shared ${facts.money("budget_vnd")} budget.`,
        ...budgetEnd(facts, (moment) => `The budget resets on ${moment}.`)
      ],
      place: "members"
    }),
    "member_budget.spent": (facts) => ({
      subject: `${facts.member} has used up their budget`,
      lines: [
        `The API keys ${facts.member} made have used up their shared ${facts.money("budget_vnd")} budget. Calls with these keys are being refused.`,
        ...budgetEnd(facts, (moment) => `The budget resets on ${moment}.`)
      ],
      place: "members"
    }),
    "key.expiring": (facts) => ({
      subject: `API key “${facts.key}” is about to expire`,
      lines: [`API key “${facts.key}” expires on ${facts.moment("expires_at") ?? ""}.`],
      place: "keys"
    }),
    "key.created": (facts, at) => ({
      subject: `new API key “${facts.key}”`,
      lines: [`API key “${facts.key}” was created on ${at}.`, "If that wasn't you, revoke it now."],
      place: "keys"
    }),
    "key.rotated": (facts, at) => ({
      subject: `API key “${facts.key}” was rotated`,
      lines: [`API key “${facts.key}” was rotated on ${at}.`],
      place: "keys"
    }),
    "key.revoked": (facts, at) => ({
      subject: `API key “${facts.key}” was revoked`,
      lines: [`API key “${facts.key}” was revoked on ${at} and no longer works.`],
      place: "keys"
    }),
    "sign_in.new": (facts, at) => ({
      subject: "new sign-in to your account",
      lines: [
        `Someone signed in to your account on ${at} from IP address ${facts.address}.`,
        `Browser: ${facts.text("user_agent")}`,
        "If that wasn't you, change your password and sign out your other devices."
      ],
      place: "account"
    }),
    "security.changed": (facts, at) => ({
      subject: changesEn[facts.text("change")] ?? "how you sign in was changed",
      lines: [
        `On ${at}, for your account: ${changesEn[facts.text("change")] ?? "how you sign in was changed"}.`,
        "If that wasn't you, change your password, sign out your other devices and tell the operator."
      ],
      place: "account"
    })
  }
}

export const mailWords: Readonly<Record<Language, MailWords>> = { vi, en }
