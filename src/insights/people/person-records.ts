import type { PersonLabel } from './person-label'

/** A person in a list. */
export interface ListedPerson {
  id: string
  /** The display name: their name, their email address, or an id. */
  name: string
  label: PersonLabel
  distinctId: string
  isIdentified: boolean
  properties: Record<string, string>
  firstSeen: string | undefined
  lastSeen: string | undefined
  /** The number of events in the period. */
  events: number
  /** A line about what they did in the period. */
  story?: string | undefined
  /** The source of their first visit in the period, empty for a direct one; undefined without a visit. */
  source?: string | undefined
  /** The page that they saw last in the period. */
  lastPage?: { path: string; title: string } | undefined
}

/** An event of a person. */
export interface PersonEvent {
  uuid: string
  event: string
  at: string
  distinctId: string
  /** Undefined for an event outside of any session. */
  session: string | undefined
  /** All properties, by the names that SDKs use. */
  properties: Record<string, string>
  groups: Record<string, string>
}

export interface PersonFacts {
  name: string
  label: PersonLabel
  /** Their story in a sentence, from all events; absent without events of people. */
  story?: string | undefined
  isIdentified: boolean
  properties: Record<string, string>
  distinctIds: string[]
  firstSeen: string | undefined
  lastSeen: string | undefined
  events: number
  sessions: number
  /** The last known place and device. */
  lastPlace: Record<'country' | 'city' | 'browser' | 'os' | 'device', string>
  /** The origin of the person; absent without page views. */
  firstTouch?: { channel: string; source: string }
  revenue: { currency: string; sum: number }[]
  groups: { type: string; key: string; name: string }[]
  flags: { flag: string; variant: string; lastSeen: string }[]
}

/** The number of matching persons among those seen in the last 30 days. */
export interface MatchingPersons {
  matching: number
  of: number
}

/** A group of persons, such as a company. */
export interface GroupProfile {
  type: string
  key: string
  name: string
  properties: Record<string, string>
  createdAt: string
  /** The number of persons seen in the last 30 days. */
  persons: number
  lastSeen: string | undefined
}

export interface GroupPage {
  groups: GroupProfile[]
  total: number
}

/** A person, as far as a list of search results shows one. */
export interface NamedPerson {
  id: string
  name: string
  email?: string
}
