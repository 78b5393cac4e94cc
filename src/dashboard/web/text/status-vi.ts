/** The words of the page of the service's status in Vietnamese. */
export const vietnamese = {
  title: "Trạng thái dịch vụ",
  intro: "Tình trạng của từng họ mô hình, hiện tại và trong 24 giờ qua.",
  none: "Chưa có mô hình nào",
  states: { operational: "Hoạt động bình thường", degraded: "Giảm chất lượng", down: "Gián đoạn" },
  levels: { idle: "không có lượt gọi", good: "bình thường", degraded: "giảm chất lượng", down: "gián đoạn" },
  day: "24 giờ qua",
  dayOf: (family: string) => `24 giờ qua của ${family}`,
  asOf: (time: string) => `Cập nhật lúc ${time}`
}
