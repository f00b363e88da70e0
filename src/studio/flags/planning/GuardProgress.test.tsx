import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { GuardBadge, GuardSteps } from './GuardProgress'

const at = new Date('2026-03-01T10:00:00Z')
const textOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

test.each([
  ['running', undefined, 'Running'],
  ['running', at, 'Paused'],
  ['rolled-back', at, 'Rolled back'],
] as const)('a guard that is %s, paused at %s, is shown as it is', (state, pausedAt, words) => {
  expect(textOf(renderToStaticMarkup(<GuardBadge guard={{ state, pausedAt }} />))).toBe(words)
})

test('a step of half a percent more is not rounded away', () => {
  const steps = [
    { percentage: 12.5, afterMinutes: 0 },
    { percentage: 25, afterMinutes: 60 },
  ]
  const markup = renderToStaticMarkup(
    <GuardSteps
      guard={{ state: 'running', steps, taken: [] }}
      dueWords={(index) => `after ${index} steps`}
      clock={{ now: at, timeZone: 'UTC' }}
    />,
  )
  expect(textOf(markup)).toBe('12.5% after 0 steps 25% after 1 steps')
})
