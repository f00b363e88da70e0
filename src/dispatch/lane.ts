/** The deliveries of one project to one address: no lane holds up another. */
export interface Lane {
  projectId: number
  /** The host of a webhook, or the mail server. Empty for what is only prepared, and reaches out to nothing. */
  address: string
}

/** The mail server of this Tilth: one address, whatever project writes to whatever mailbox. */
export const mailServer = 'mail server'

/** The address of a webhook: its host and port. */
export const addressOfUrl = (url: string): string => URL.parse(url)?.host || url

export const isSameLane = (one: Lane, other: Lane): boolean =>
  one.projectId === other.projectId && one.address === other.address

export const reachesOut = ({ address }: Lane): boolean => address !== ''
