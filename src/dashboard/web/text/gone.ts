/** What is said of something that was to be changed or ended and is no more. */
import { language } from "../language.ts"

export const goneText = (): string =>
  language.value === "vi"
    ? "Mục này không còn nữa. Nội dung trên trang vừa được cập nhật."
    : "This no longer exists. The page is up to date now."
