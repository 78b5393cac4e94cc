/** The words of an account's members in Vietnamese. */
import type { ActivityKind } from "../../../domain/account-activities.ts"
import type { MemberRole } from "../../../domain/member-roles.ts"

const roles: Readonly<Record<MemberRole, string>> = {
  owner: "Chủ sở hữu",
  admin: "Quản lý",
  member: "Thành viên",
  billing: "Kế toán"
}

const roleHints: Readonly<Record<MemberRole, string>> = {
  owner: "Làm được mọi việc, kể cả thêm và gỡ chủ sở hữu khác.",
  admin: "Làm được mọi việc, trừ những gì liên quan tới chủ sở hữu.",
  member: "Tạo và quản lý API key của riêng mình, chỉ xem số liệu của các key đó.",
  billing: "Xem sổ giao dịch, nạp tiền, biên nhận và thông tin xuất hóa đơn; không dùng API key."
}

export const vietnamese = {
  title: "Thành viên",
  intro: "Những người cùng dùng tài khoản này, và những việc mỗi người được làm.",
  invite: "Mời thành viên",
  name: "Thành viên",
  role: "Vai trò",
  since: "Tham gia",
  keys: "API key",
  you: "Bạn",
  founder: "Chủ tài khoản",
  change: "Đổi vai trò",
  budget: "Ngân sách",
  setBudget: "Đặt ngân sách",
  noBudget: "Không giới hạn",
  budgetTitle: (name: string) => `Ngân sách của ${name}`,
  budgetIntro:
    "Mọi API key do người này tạo cùng dùng chung ngân sách này, ngoài ngân sách riêng của từng key.",
  budgetHint: "Để trống nếu không giới hạn.",
  budgetSpent: (spent: string) => `Đã dùng trong kỳ này: ${spent}.`,
  budgetSaved: "Đã lưu. Có hiệu lực từ lượt gọi kế tiếp.",
  former: "Đã rời tài khoản, API key vẫn hoạt động",
  formerKeys: (count: string) => `${count} API key đang hoạt động`,
  remove: "Gỡ",
  roles,
  roleHints,
  emailHint: "Người được mời cần đăng nhập bằng đúng email này.",
  send: "Gửi lời mời",
  sent: (email: string) => `Đã gửi lời mời tới ${email}`,
  linkTitle: "Liên kết mời",
  linkHint: (email: string) =>
    `Hãy gửi liên kết này cho ${email}. Liên kết chỉ hiện một lần, dùng được trong 7 ngày và chỉ với email này.`,
  link: "liên kết mời",
  pending: "Lời mời đang chờ",
  until: (when: string) => `hết hạn ${when}`,
  withdraw: "Thu hồi",
  withdrawTitle: (email: string) => `Thu hồi lời mời ${email}?`,
  withdrawHint: "Liên kết trong lời mời sẽ không dùng được nữa.",
  withdrawn: "Đã thu hồi lời mời",
  changeTitle: (name: string) => `Vai trò của ${name}`,
  save: "Lưu",
  changed: "Đã đổi vai trò",
  removeTitle: (name: string) => `Gỡ ${name} khỏi tài khoản?`,
  removeHint: "Người này mất quyền truy cập ngay. Token quản lý do họ tạo cũng bị thu hồi.",
  revokeKeys: (count: string) => `Thu hồi luôn ${count} API key do người này tạo`,
  removed: "Đã gỡ thành viên",
  accounts: "Tài khoản bạn tham gia",
  leave: "Rời tài khoản",
  leaveTitle: (account: string) => `Rời tài khoản ${account}?`,
  leaveHint: "Bạn sẽ không còn truy cập được tài khoản này. API key bạn đã tạo ở đó vẫn hoạt động.",
  left: "Đã rời tài khoản",
  ended: "Người này không còn là thành viên. Danh sách vừa được cập nhật.",
  endedForYou: "Bạn đã không còn là thành viên của tài khoản này.",
  invitationOver: "Lời mời này đã hết hiệu lực. Danh sách vừa được cập nhật.",
  actFor: "Tài khoản đang dùng",
  ownAccount: "Tài khoản của tôi",
  closed: "Tài khoản này không còn hoạt động",
  toOwn: "Về tài khoản của tôi",
  youAre: (role: string) => `Vai trò của bạn: ${role}`,
  joinTitle: "Lời mời tham gia tài khoản",
  joinIntro: (account: string, role: string) =>
    `Bạn được mời tham gia tài khoản ${account} với vai trò ${role}.`,
  invitedBy: (who: string) => `Người mời: ${who}.`,
  join: "Tham gia",
  joined: "Bạn đã tham gia tài khoản",
  over: "Lời mời này không còn hiệu lực. Hãy nhờ người mời gửi lại.",
  notYours: "Lời mời này dành cho một email khác. Hãy đăng nhập bằng email đã nhận lời mời.",
  problems: {
    invitation_not_yours: "Lời mời dành cho email khác.",
    already_member: "Người này đã là thành viên.",
    too_many_members: "Tài khoản đã có đủ 50 thành viên và lời mời.",
    founder_stays: "Chủ tài khoản không thể rời tài khoản của mình."
  },
  activity: {
    title: "Nhật ký tài khoản",
    intro: "Những việc đã làm trong tài khoản này: ai làm, làm gì, khi nào.",
    kind: "Loại thao tác",
    allKinds: "Mọi thao tác",
    person: "Người thực hiện",
    everybody: "Mọi người",
    operator: "Quản trị viên Tollgate",
    none: "Không có thao tác nào",
    kinds: {
      keys: "API key",
      members: "Thành viên",
      tokens: "Token quản lý",
      alerts: "Cảnh báo và webhook",
      money: "Tiền và xuất hóa đơn",
      account: "Tài khoản"
    } satisfies Record<ActivityKind, string>
  }
}
