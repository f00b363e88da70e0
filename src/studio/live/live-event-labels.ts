import { valueName } from '#events/value-names'
import { dropReasons } from '#events/event'
import type { LiveEvent } from '#events/live-event'
import { eventLabel } from '#events/taxonomy'
import { clientLabels, isClient } from './client-names'
import { refusalLabel } from './live-event-explanations'

/** The event of the test button; it distinguishes problems of the installation from those of a site. */
export const testEvent = '$tilth_test'

export function titleOf(liveEvent: LiveEvent): string {
  if (liveEvent.kind === 'refused') return 'Request refused'
  if (liveEvent.name === testEvent) return 'Test event'
  return eventLabel(liveEvent.name) || 'Event without a name'
}

/** The subject of the event, or why it was dropped. */
export function subjectOf(liveEvent: LiveEvent): string {
  if (liveEvent.kind === 'dropped') return dropReasons[liveEvent.reason]
  if (liveEvent.kind === 'refused') return refusalLabel(liveEvent)
  const { host = '', path = '' } = liveEvent.columns
  return `${host}${path}`
}

/** The sender besides its name, as far as it is known: a browser, a country. */
export function whoOf(liveEvent: LiveEvent): string {
  if (liveEvent.kind === 'refused') return dialectName(liveEvent.dialect)
  if (liveEvent.kind === 'dropped') return ''
  const { browser, country } = liveEvent.columns
  return [browser, country && valueName('country', country)].filter(Boolean).join(' · ')
}

/** A dialect is called as the client that speaks it. */
export const dialectName = (dialect: string): string => (isClient(dialect) ? clientLabels[dialect] : dialect)
