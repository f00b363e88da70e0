import { expect, test } from 'vitest'
import { differences } from './InsightHistory'

const asked = { period: '30d', traffic: 'human', withoutTestAccounts: false } as const
const annotated = (more: object, name = 'Signups') => ({
  name,
  description: '',
  question: { kind: 'trend', ...asked, ...more },
})

test.each([
  [annotated({}), annotated({}), []],
  [annotated({}), annotated({}, 'Sign-ups'), ['name: Signups → Sign-ups']],
  [annotated({}), annotated({ period: '90d' }), ['period: 30d → 90d']],
  [annotated({ compare: 'year' }), annotated({}), ['compare: year → nothing']],
  [
    annotated({ series: [{ event: 'a' }] }),
    annotated({ series: [{ event: 'a' }, { event: 'b' }] }),
    ['series 2 event: nothing → b'],
  ],
  [annotated({ cumulative: false }), annotated({ cumulative: true }), ['cumulative: false → true']],
])('from %j to %j', (before, after, lines) => {
  expect(differences(before, after)).toEqual(lines)
})
