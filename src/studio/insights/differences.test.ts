import { expect, test } from 'vitest'
import { differences } from './InsightHistory'

const asked = { period: '30d', traffic: 'human', withoutTestAccounts: false } as const
const said = (more: object, name = 'Signups') => ({
  name,
  description: '',
  question: { kind: 'trend', ...asked, ...more },
})

test.each([
  [said({}), said({}), []],
  [said({}), said({}, 'Sign-ups'), ['name: Signups → Sign-ups']],
  [said({}), said({ period: '90d' }), ['period: 30d → 90d']],
  [said({ compare: 'year' }), said({}), ['compare: year → nothing']],
  [
    said({ series: [{ event: 'a' }] }),
    said({ series: [{ event: 'a' }, { event: 'b' }] }),
    ['series 2 event: nothing → b'],
  ],
  [said({ cumulative: false }), said({ cumulative: true }), ['cumulative: false → true']],
])('from %j to %j', (before, after, lines) => {
  expect(differences(before, after)).toEqual(lines)
})
