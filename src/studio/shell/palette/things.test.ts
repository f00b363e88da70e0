import { expect, test } from 'vitest'
import { pathOfThing, thingAt, type ThingReference } from './things'

test.each<[string, ThingReference | undefined]>([
  // the page                                what it is about
  ['/studio/acme/dashboards/d1', { kind: 'dashboard', id: 'd1' }],
  ['/studio/acme/insights/i1', { kind: 'insight', id: 'i1' }],
  ['/studio/acme/insights/new', undefined],
  ['/studio/acme/insights', undefined],
  ['/studio/acme/flags/~new/code', { kind: 'flag', id: 'new' }],
  ['/studio/acme/flags/a%20b', { kind: 'flag', id: 'a b' }],
  ['/studio/acme/flags/environments/compare', undefined],
  ['/studio/acme/flags/key/a', undefined],
  ['/studio/acme/flags/new', undefined],
  ['/studio/acme/experiments/e1/exposures', { kind: 'experiment', id: 'e1' }],
  ['/studio/acme/experiments/saved-metrics', undefined],
  ['/studio/acme/surveys/s1/results', { kind: 'survey', id: 's1' }],
  ['/studio/acme/people/p1', { kind: 'person', id: 'p1' }],
  ['/studio/acme/people/cohorts/c1', { kind: 'cohort', id: 'c1' }],
  ['/studio/acme/people/cohorts/new', undefined],
  ['/studio/acme/people/cohorts', undefined],
  ['/studio/acme/people/groups', undefined],
  ['/studio/acme/site/posts/file%3Anotes/hello~md', { kind: 'post', id: 'file:notes/hello.md' }],
  ['/studio/acme/site/newsletter/new', undefined],
  ['/studio/acme/site/posts/images', undefined],
  ['/studio/acme/site/posts', undefined],
  ['/studio/acme/site', undefined],
  ['/studio/acme', undefined],
  ['/studio/other/flags/a', undefined],
])('%s is about %o', (pathname, thing) => {
  expect(thingAt(pathname, 'acme')).toEqual(thing)
})

test('a thing is at the page that a result leads to', () => {
  for (const kind of [
    'dashboard',
    'insight',
    'flag',
    'experiment',
    'survey',
    'post',
    'person',
    'cohort',
  ] as const)
    expect(thingAt(pathOfThing('acme', { kind, id: 'x1', name: 'X' }), 'acme')).toEqual({ kind, id: 'x1' })
})
