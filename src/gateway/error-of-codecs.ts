/** What codec workers could not do, as an error of the contract. */
import type { CodecError } from "../compute/CodecWorkers.ts"
import type { Unprepared } from "../compute/read-body.ts"
import { busy, type CallError, invalidRequest, upstreamFailed } from "./CallError.ts"

/** Codec workers that are all busy are our overload, one that died twice our fault. */
export const errorOfCodecs = (error: CodecError): CallError =>
  error._tag === "CodecBusy" ? busy() : upstreamFailed("The call could not be processed.")

/** Of a request's body: what it lacks is told by the field's name. */
export const errorOfRequestCodec = (error: Unprepared | CodecError): CallError =>
  error._tag === "Unprepared"
    ? invalidRequest(error.message, error.field, error.details)
    : errorOfCodecs(error)
