/** Turns the body of an image, speech or count call into what goes upstream. */
import { randomBytes } from "node:crypto"
import type { Model } from "../domain/catalogue.ts"
import type { ImageBytes } from "../formats/images/edit.ts"
import { refuseAmbiguousMembers } from "../formats/deciding-members.ts"
import { refusable } from "../formats/json/fields.ts"
import { type PlainRow, plainPairs, type PreparedPlain } from "../formats/plain-pairs.ts"
import { bodyBounds } from "./bounds.ts"
import { isForm } from "../formats/images/form.ts"
import { formOf, orRefuse, readBody } from "./read-body.ts"
import { bufferOf } from "./share-bytes.ts"

export interface PlainTask {
  readonly row: PlainRow
  readonly body: Uint8Array
  readonly model: Model
  /** The image to edit, once it has been fetched. */
  readonly image?: ImageBytes
}

/** Throws `Unprepared`, and `TooMuchHere` where the bounds are not those of every body. */
export const preparePlain = ({ body, image, model, row }: PlainTask, bounds = bodyBounds): PreparedPlain => {
  const bytes = bufferOf(body)
  const { prepare, prepareForm } = plainPairs[row]
  const options = { model, image, makeBoundary }
  if (prepareForm !== undefined && isForm(bytes)) {
    const form = formOf(bytes)
    return orRefuse(
      refusable(() => {
        refuseAmbiguousMembers({ parsed: {}, bytes, members: form.fields })
        return prepareForm(form, bytes, options)
      })
    )
  }
  const { members, parsed } = readBody(bytes, bounds)
  return orRefuse(
    refusable(() => {
      const request = { parsed, bytes, members }
      refuseAmbiguousMembers(request)
      return prepare(request, options)
    })
  )
}

const makeBoundary = (): string => `tollgate-${randomBytes(16).toString("hex")}`
