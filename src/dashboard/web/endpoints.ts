/** The API's endpoints as types, read off its definition: nothing here is said twice, and nothing of it is code. */
import type { Api } from "../definition/Api.ts"

type Groups = typeof Api.groups
type EndpointsOf<Group> = Group extends { readonly endpoints: infer Endpoints }
  ? Endpoints[keyof Endpoints]
  : never
type Endpoint = { [Name in keyof Groups]: EndpointsOf<Groups[Name]> }[keyof Groups]

type Method = Endpoint["method"]
export type GetPath = Extract<Endpoint, { readonly method: "GET" }>["path"]
export type PostPath = Extract<Endpoint, { readonly method: "POST" }>["path"]

type At<Asked extends Method, Path> = Extract<Endpoint, { readonly method: Asked; readonly path: Path }>

type TypeOf<Schema> = Schema extends { readonly Type: infer Type } ? Type : never

/** What an endpoint answers where it does not refuse. */
export type AnswerTo<Asked extends Method, Path> = TypeOf<At<Asked, Path>["~Success"]>

export type Body<Path> = [At<"POST", Path>["~Payload"]] extends [never]
  ? Readonly<Record<string, never>>
  : TypeOf<At<"POST", Path>["~Payload"]>

/** Pages pass on what is not chosen as an empty text. */
export type Query<Path> = [At<"GET", Path>["~Query"]] extends [never]
  ? Readonly<Record<string, never>>
  : Chosen<TypeOf<At<"GET", Path>["~Query"]>>
type Chosen<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | "" | undefined }

/** What stands in the path, where something does. */
export type Params<Asked extends Method, Path> = [At<Asked, Path>["~Params"]] extends [never]
  ? []
  : [TypeOf<At<Asked, Path>["~Params"]> & Readonly<Record<string, string>>]
