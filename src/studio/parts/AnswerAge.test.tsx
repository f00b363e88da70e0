import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { WaitingEvents } from '#insights/waiting-events'
import { AnswerAge } from './AnswerAge'

const at = new Date('2026-11-26T12:00:00Z')
const ageAt = (
  now: string,
  tookMs: number,
  waiting: WaitingEvents = { waitingEvents: 3, isBehind: false },
): string => renderToStaticMarkup(<AnswerAge at={at} tookMs={tookMs} {...waiting} now={new Date(now)} />)

test('a kept answer has its age, from when it was there', () => {
  expect(ageAt('2026-11-26T12:00:45Z', 3000)).toContain(
    'It took 3s. Slow answers are kept for up to a minute." class="whitespace-nowrap">Updated 42 s ago<',
  )
})

test('an answer that was slow to compute is not old', () => {
  expect(ageAt('2026-11-26T12:00:20Z', 19_000)).toBe('')
})

test('an answer that events are missing from says how many', () => {
  const behind = { waitingEvents: 1132, isBehind: true }
  expect(ageAt('2026-11-26T12:00:01Z', 0, behind)).toContain('>1,132 events are still being stored<')
  expect(ageAt('2026-11-26T12:00:45Z', 3000, behind)).toMatch(/42 s ago.* · 1,132 events/)
})
