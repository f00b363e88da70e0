import { valueName } from '#events/value-names'
import { dropReasons } from '#events/event'
import type { LiveEvent } from '#events/live-event'
import { eventLabel } from '#events/taxonomy'
import { clients, isClient } from '#studio/connect/clients'
import { testEvent } from '#studio/connect/test-event'
import { refusalLabel } from './sighting-explanations'

export function titleOf(sighting: LiveEvent): string {
  if (sighting.kind === 'refused') return 'Request refused'
  if (sighting.name === testEvent) return 'Test event'
  return eventLabel(sighting.name) || 'Event without a name'
}

/** The subject of the event, or why it was dropped. */
export function subjectOf(sighting: LiveEvent): string {
  if (sighting.kind === 'dropped') return dropReasons[sighting.reason]
  if (sighting.kind === 'refused') return refusalLabel(sighting)
  const { host = '', path = '' } = sighting.columns
  return `${host}${path}`
}

/** The sender, as far as it is known: an id, a browser, a country. */
export function whoOf(sighting: LiveEvent): string {
  if (sighting.kind === 'refused') return dialectName(sighting.dialect)
  if (sighting.kind === 'dropped') return ''
  const { browser, country } = sighting.columns
  const who = sighting.isCookieless ? undefined : sighting.distinctId
  return [who, browser, country && valueName('country', country)].filter(Boolean).join(' · ')
}

/** A dialect is called as the client that speaks it. */
export const dialectName = (dialect: string): string => (isClient(dialect) ? clients[dialect].label : dialect)
