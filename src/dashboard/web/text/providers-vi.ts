/** The words of the page of providers in Vietnamese. */

/** Why a route did not answer, where that is no status. */
const errors: Readonly<Record<string, string>> = {
  connect: "không kết nối được",
  timeout: "quá thời gian chờ",
  broken: "trả lời bị ngắt giữa chừng",
  credentials: "thiếu thông tin xác thực AWS"
}

export const vietnamese = {
  title: "Nhà cung cấp",
  intro: "Các tuyến tới nhà cung cấp và tình trạng trên mọi máy chủ, cập nhật mỗi 5 giây.",
  none: "Chưa có tuyến nào",
  noneHint: "Khai báo nhà cung cấp trong tollgate.yaml hoặc qua biến môi trường.",
  unknown: "–",
  states: { closed: "Bình thường", resting: "Tạm nhường", half_open: "Đang thử lại", open: "Đã ngắt" },
  until: (time: string) => `đến ${time}`,
  paused: "Tạm dừng",
  pause: "Tạm dừng",
  resume: "Chạy lại",
  pausedNow: "Đã tạm dừng tuyến trên mọi máy chủ",
  resumed: "Tuyến đã chạy lại trên mọi máy chủ",
  calls: "Lượt gọi trong 1 giờ",
  successRate: "Thành công",
  p50: "Byte đầu, p50",
  p95: "Byte đầu, p95",
  ms: (value: string) => `${value} ms`,
  lastError: "Lỗi gần nhất",
  noError: "Không có",
  errors,
  day: "24 giờ qua",
  dayOf: (route: string) => `24 giờ qua của ${route}`,
  cell: (time: string, calls: string, failed: string) => `${time}: ${calls} lượt gọi, ${failed} lỗi`,
  test: "Gọi thử",
  testing: "Đang gọi thử…",
  testWell: "Gọi thử thành công",
  testBad: "Gọi thử không thành công",
  firstByte: "byte đầu",
  total: "tổng",
  weigh: "Trọng số",
  weighTitle: (route: string) => `Trọng số của ${route}`,
  weight: "Trọng số",
  weightOf: (weight: string, priority: string) => `${weight} (ưu tiên ${priority})`,
  weightHint:
    "Các tuyến cùng mức ưu tiên chia nhau lượt gọi theo trọng số. Để trống để dùng giá trị cấu hình.",
  weightBad: "Nhập một số lớn hơn 0, tối đa 1000.",
  weighed: "Đã đổi trọng số trên mọi máy chủ",
  save: "Lưu"
}
