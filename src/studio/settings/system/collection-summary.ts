import { type CollectionState, describeTrouble } from '#ingest/collection-state'
import type { Tone } from '#ui/Badge'

/** The state of collection in one line; the notice above the page has the remedies. */
export function collectionSummary(state: CollectionState | undefined): {
  tone: Tone
  word: string
  text: string
} {
  if (!state) return { tone: 'neutral', word: 'Unknown', text: 'No report from the front server yet.' }
  if (state.troubles.length === 0)
    return { tone: 'success', word: 'Ready', text: 'events are received and stored' }
  const words = state.troubles.map(describeTrouble)
  const isStuck = words.some(({ blocks }) => blocks)
  const text = words.map(({ title }) => `${title}.`).join(' ')
  return isStuck ? { tone: 'danger', word: 'Stuck', text } : { tone: 'warning', word: 'Degraded', text }
}
