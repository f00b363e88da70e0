import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { RelativeTime } from './RelativeTime'

const now = new Date('2026-11-26T12:00:00Z')
const told = (at: string) =>
  renderToStaticMarkup(<RelativeTime at={new Date(at)} clock={{ now, timeZone: 'UTC' }} />).replaceAll(
    /<[^>]+>/g,
    '',
  )

test.each([
  ['2026-11-26T11:57:00Z', '3 minutes ago'],
  ['2026-11-10T12:00:00Z', '16 days ago'],
  ['2026-08-26T12:00:00Z', '26 Aug 2026'],
])('%s is told as %s', (at, words) => {
  expect(told(at)).toBe(words)
})
