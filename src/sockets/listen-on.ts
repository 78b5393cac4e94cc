/** Where a uWebSockets.js server listens. */
import * as uWS from "uWebSockets.js"

export interface Place {
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  /** Others may listen there, too, and take their part of the connections. */
  readonly isShared: boolean
}

/** `false` where the port can not be had. */
export const listenOn = (
  app: uWS.TemplatedApp,
  { host, isShared, port }: Place
): uWS.us_listen_socket | false => {
  let listening: uWS.us_listen_socket | false = false
  // Its types know of no options beside a host.
  const listen = app.listen.bind(app) as unknown as Listen
  // It answers at once.
  listen(host, port, isShared ? 0 : exclusively, (socket) => (listening = socket))
  return listening
}

/**
 * A port on which nobody listens yet; `undefined` where others do. The system lets every process of a user share one with the
 * others, and then calls come to those that have another database, and know none of their keys.
 */
export const findAlone = (app: uWS.TemplatedApp, place: Omit<Place, "isShared">): number | undefined => {
  const alone = listenOn(app, { ...place, isShared: false })
  if (alone === false) return undefined
  const port = uWS.us_socket_local_port(alone)
  uWS.us_listen_socket_close(alone)
  return port
}

const exclusively = 1

type Listen = (
  host: string,
  port: number,
  options: number,
  answer: (socket: uWS.us_listen_socket | false) => void
) => void
