/** What a request becomes in the words of Messages depends on who reads them: a provider, or a further conversion. */

export interface MessagesDialect {
  /** A further conversion follows. It reads the marks of thoughts itself, and efforts of every model. */
  readonly goesOn: boolean
  /** System messages may stand between turns. */
  readonly systemTurns: boolean
  /** Temperatures go up to 2. */
  readonly highTemperatures: boolean
  /** It is chat that is spoken behind Messages, which has words of its own for the answer's form. */
  readonly chatFormats: boolean
  /** Images may say how finely they are to be looked at. */
  readonly imageDetails: boolean
  /** Files of word processors and spreadsheets are taken as they are. */
  readonly officeFiles: boolean
  /** The texts of a turn become one. */
  readonly joinsTexts: boolean
}

/** For who speaks Messages, Claude on AWS among them. */
export const forMessages: MessagesDialect = {
  goesOn: false,
  systemTurns: false,
  highTemperatures: false,
  chatFormats: false,
  imageDetails: false,
  officeFiles: false,
  joinsTexts: false
}

export const forConverse: MessagesDialect = { ...forMessages, goesOn: true, officeFiles: true }

export const forChat: MessagesDialect = {
  goesOn: true,
  systemTurns: true,
  highTemperatures: true,
  chatFormats: true,
  imageDetails: true,
  officeFiles: false,
  joinsTexts: true
}
