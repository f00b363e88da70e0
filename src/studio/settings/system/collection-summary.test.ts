import { expect, test } from 'vitest'
import type { CollectionState } from '#ingest/collection-state'
import { collectionSummary } from './HealthPanel'

const well: CollectionState = {
  backlog: 0,
  backlogByProject: {},
  isEstimate: false,
  oldestAt: undefined,
  troubles: [],
}
const stuck = { kind: 'not-storing', reason: 'The engine is away.' } as const
const behind = { kind: 'behind', minutes: 3 } as const

test.each<[state: CollectionState | undefined, word: string, text: string]>([
  [undefined, 'Unknown', 'No report from the front server yet.'],
  [well, 'Ready', 'events are received and stored'],
  [{ ...well, troubles: [behind] }, 'Degraded', 'Figures are 3 minutes behind.'],
  [
    { ...well, troubles: [stuck, behind] },
    'Stuck',
    'Events are kept, but not stored yet. Figures are 3 minutes behind.',
  ],
])('System says in one line how collection is doing (%#)', (state, word, text) => {
  expect(collectionSummary(state)).toMatchObject({ word, text })
})
