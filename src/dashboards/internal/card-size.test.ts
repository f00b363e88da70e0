import { expect, test } from 'vitest'
import { chartSizeOf } from './card-size'

test.each([
  // a query                              the size of its card
  [{ kind: 'trend' }, { w: 6, h: 5 }],
  [
    { kind: 'trend', chart: 'number' },
    { w: 3, h: 3 },
  ],
  [{ kind: 'survey' }, { w: 6, h: 3 }],
  [
    { kind: 'survey', about: 'score' },
    { w: 6, h: 5 },
  ],
])('the card of %j begins with %j', (query, size) => expect(chartSizeOf(query)).toEqual(size))
