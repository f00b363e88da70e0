import { expect, test } from 'vitest'
import { personsBehind } from '#test/product/persons-behind'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import type { PathsAnswer } from './answer'

const testEngine = anEngine()

const march = { kind: 'paths', period: '2026-03-01..2026-03-31' }

/** Makes views of each person, a minute apart, in a session of their own. */
const views = (walks: Record<string, string[]>): TestEvent[] =>
  Object.entries(walks).flatMap(([person, paths]) =>
    paths.map((path, at) => ({ person, event: '$pageview', at, session: person, columns: { path } })),
  )

test('shows what people do next, and where they leave', async () => {
  const project = await testEngine.addProject(
    views({
      ana: ['/', '/pricing', '/signup'],
      ben: ['/', '/blog'],
      cleo: ['/', '/pricing'],
      dan: ['/blog'],
    }),
  )
  const answer = await testEngine.ask<PathsAnswer>(project, march)
  expect(answer).toEqual({
    steps: 5,
    sessions: 4,
    nodes: [
      { id: '1:/', step: 1, name: '/', sessions: 3, begin: 3, beyond: 0 },
      { id: '1:/blog', step: 1, name: '/blog', sessions: 1, begin: 1, beyond: 0 },
      { id: '2:/pricing', step: 2, name: '/pricing', sessions: 2, begin: 0, beyond: 0 },
      { id: '2:/blog', step: 2, name: '/blog', sessions: 1, begin: 0, beyond: 0 },
      { id: '3:/signup', step: 3, name: '/signup', sessions: 1, begin: 0, beyond: 0 },
    ],
    links: expect.arrayContaining([
      { from: '1:/', to: '2:/pricing', sessions: 2, medianSeconds: 60 },
      { from: '1:/', to: '2:/blog', sessions: 1, medianSeconds: 60 },
      { from: '2:/pricing', to: '3:/signup', sessions: 1, medianSeconds: 60 },
    ]),
    dropOffs: expect.arrayContaining([
      { node: '1:/blog', sessions: 1 },
      { node: '2:/blog', sessions: 1 },
      { node: '2:/pricing', sessions: 1 },
      { node: '3:/signup', sessions: 1 },
    ]),
  })
})

const walks = {
  ana: ['/', '/pricing', '/signup', '/done'],
  ben: ['/', '/pricing', '/'],
  cleo: ['/blog/1', '/blog/2', '/pricing', '/signup'],
  dan: ['/signup'],
}
const story = views(walks)

const linksOf = ({ links }: PathsAnswer) =>
  links.map(({ from, to, sessions }) => `${from} > ${to} ${sessions}`).toSorted()

test('a path begins where its start is first reached', async () => {
  const answer = await testEngine.ask<PathsAnswer>(await testEngine.addProject(story), {
    ...march,
    start: '/Pricing/',
  })
  expect(linksOf(answer)).toEqual(['1:/pricing > 2:/ 1', '1:/pricing > 2:/signup 2', '2:/signup > 3:/done 1'])
  expect(answer.sessions).toBe(3)
})

test('with an end, each step is as far from it as it stands before the last', async () => {
  const answer = await testEngine.ask<PathsAnswer>(await testEngine.addProject(story), {
    ...march,
    end: '/signup',
    steps: 3,
  })
  expect(linksOf(answer)).toEqual([
    '1:/ > 2:/pricing 1',
    '1:/blog/:id > 2:/pricing 1',
    '2:/pricing > 3:/signup 2',
  ])
  expect(answer.nodes.find(({ id }) => id === '3:/signup')).toMatchObject({
    sessions: 3,
    begin: 1,
    beyond: 3,
  })
  expect(answer.dropOffs).toEqual([])
})

test('with a start and an end, only paths that lead from the one to the other', async () => {
  const answer = await testEngine.ask<PathsAnswer>(await testEngine.addProject(story), {
    ...march,
    start: '/',
    end: '/signup',
  })
  expect(linksOf(answer)).toEqual(['1:/ > 2:/pricing 1', '2:/pricing > 3:/signup 1'])
})

test('a longer path than is shown is no drop-off', async () => {
  const answer = await testEngine.ask<PathsAnswer>(await testEngine.addProject(story), {
    ...march,
    start: '/',
    steps: 2,
  })
  expect(answer.nodes.find(({ id }) => id === '2:/pricing')).toMatchObject({ sessions: 2, beyond: 2 })
  expect(answer.dropOffs).toEqual([])
})

test('patterns of one’s own come before the cleaning, and repeats are one', async () => {
  const project = await testEngine.addProject(story)
  const groups = [{ pattern: '/blog/*', name: 'The blog' }, { pattern: '/*' }]
  const answer = await testEngine.ask<PathsAnswer>(project, { ...march, groups })
  expect(linksOf(answer)).toEqual(['1:The blog > 2:/* 1'])
  const again = await testEngine.ask<PathsAnswer>(project, { ...march, groups, collapse: false })
  expect(linksOf(again)).toContain('1:The blog > 2:The blog 1')
})

test('beyond the top of a step are the others', async () => {
  const answer = await testEngine.ask<PathsAnswer>(await testEngine.addProject(story), {
    ...march,
    top: 1,
    steps: 2,
  })
  expect(answer.nodes).toMatchObject([
    { id: '1:/', sessions: 2 },
    { id: '1:', name: '', isOthers: true, merged: 2, sessions: 2 },
    { id: '2:/pricing', sessions: 3 },
  ])
})

test('of events, what only helps others along is left out unless it is named', async () => {
  const events = ['a', '$set', 'b'].map((event, at) => ({ person: 'ana', event, at, session: 's' }))
  const project = await testEngine.addProject(events)
  expect(linksOf(await testEngine.ask(project, { ...march, of: 'events' }))).toEqual(['1:a > 2:b 1'])
  expect(linksOf(await testEngine.ask(project, { ...march, of: 'events', events: ['a', '$set'] }))).toEqual([
    '1:a > 2:$set 1',
  ])
})

test('per person, a long pause ends a path', async () => {
  const events = [0, 10, 41].map((at) => ({
    person: 'ana',
    event: '$pageview',
    at,
    columns: { path: `/${at}` },
  }))
  const answer = await testEngine.ask<PathsAnswer>(await testEngine.addProject(events), {
    ...march,
    per: 'person',
    collapse: false,
  })
  expect(answer).toMatchObject({ sessions: 2, links: [{ medianSeconds: 600 }] })
})

test.each([
  [{}, { node: '2:/pricing' }, ['ana', 'ben', 'cleo']],
  [{}, { link: { from: '2:/pricing', to: '3:/signup' } }, ['ana', 'cleo']],
  [{}, { dropOff: '1:/signup' }, ['dan']],
  [{ end: '/signup' }, { node: '5:/signup' }, ['ana', 'cleo', 'dan']],
  [{ end: '/signup' }, { link: { from: '3:/', to: '4:/pricing' } }, ['ana']],
  [{ top: 1 }, { node: '1:' }, ['cleo', 'dan']],
  [{ per: 'person' }, { node: '4:/done' }, ['ana']],
  [{}, { node: '1:/nowhere' }, 'This part of the answer no longer exists. Load the insight again.'],
  [{}, { dropOff: '2:/pricing' }, 'This part of the answer no longer exists. Load the insight again.'],
])('says who is behind %o %o', async (change, point, expected) => {
  const asked = { project: await testEngine.addProject(story), story, question: { ...march, ...change } }
  expect(await personsBehind(testEngine, asked, point)).toEqual(expected)
})

test('a list of events with paths of pages gets a sentence', async () => {
  await expect(testEngine.ask(1, { ...march, events: ['a'] })).rejects.toThrow('Ask for paths of events.')
})

test('only what the filter holds for is part of a path', async () => {
  const filter = { type: 'event', key: '$pathname', operator: 'not_starts_with', value: '/pri' }
  const answer = await testEngine.ask<PathsAnswer>(await testEngine.addProject(story), {
    ...march,
    start: '/',
    filter,
  })
  expect(linksOf(answer)).toEqual(['1:/ > 2:/signup 1', '2:/signup > 3:/done 1'])
})
