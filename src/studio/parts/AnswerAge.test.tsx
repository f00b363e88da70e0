import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AnswerAge } from './AnswerAge'

const at = new Date('2026-11-26T12:00:00Z')
const ageAt = (now: string, tookMs: number): string =>
  renderToStaticMarkup(<AnswerAge at={at} tookMs={tookMs} now={new Date(now)} />)

test('a kept answer has its age, from when it was there', () => {
  expect(ageAt('2026-11-26T12:00:45Z', 3000)).toContain('>42 s ago<')
})

test('an answer that was slow to compute is not old', () => {
  expect(ageAt('2026-11-26T12:00:20Z', 19_000)).toBe('')
})
