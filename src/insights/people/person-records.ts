/** A person in a list. */
export interface ListedPerson {
  id: string
  /** What people call them: their name, their e-mail, or an id. */
  name: string
  distinctId: string
  isIdentified: boolean
  properties: Record<string, string>
  firstSeen: string | undefined
  lastSeen: string | undefined
  /** In the period that was asked about. */
  events: number
}

/** An event of a person. */
export interface PersonEvent {
  uuid: string
  event: string
  at: string
  distinctId: string
  /** Undefined outside of any session. */
  session: string | undefined
  /** All that is known of it, by the names SDKs use. */
  properties: Record<string, string>
  groups: Record<string, string>
}

export interface PersonFacts {
  name: string
  isIdentified: boolean
  properties: Record<string, string>
  distinctIds: string[]
  firstSeen: string | undefined
  lastSeen: string | undefined
  events: number
  sessions: number
  /** Where and with what they were last. */
  lastPlace: Record<'country' | 'city' | 'browser' | 'os' | 'device', string>
  revenue: { currency: string; sum: number }[]
  groups: { type: string; key: string }[]
  flags: { flag: string; variant: string; lastSeen: string }[]
}

/** How many of the persons that were seen in the last 30 days. */
export interface MatchingPersons {
  matching: number
  of: number
}

/** Several persons acting as one. */
export interface GroupProfile {
  type: string
  key: string
  name: string
  properties: Record<string, string>
  createdAt: string
  /** Seen in the last 30 days. */
  persons: number
  lastSeen: string | undefined
}

export interface GroupPage {
  groups: GroupProfile[]
  total: number
}
