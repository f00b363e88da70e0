import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/random/differential'
import { inOrder, nodeName, expectedPaths } from '#test/plain/paths'
import { anEngine } from '#test/product/test-engine'
import { awkwardPlaces, calendarAround, hoursFrom, periodAround } from '#test/random/random-stories'
import { sql, strings } from '#engine/sql'
import type { PathsAnswer } from './answer'
import { pathsQuery } from './schema'

const testEngine = anEngine()

const pages = ['/', '/a', '/A/', '/b/1', '/b/22', '/c', '/d', '/d/0f0f0f0f0f0f0f0f', '']
const screens = ['Home', 'home', 'Cart', '']
const events = ['$pageview', '$screen', 'a', 'b', '$set']
const groups = [
  { pattern: '/b/*' },
  { pattern: '*a*', name: 'any a' },
  { pattern: '$*' },
  { pattern: 'home' },
]

const maybe = <Value>(value: fc.Arbitrary<Value>, freq = 2) => fc.option(value, { nil: undefined, freq })

const visitAround = (day: string) =>
  fc
    .record({
      person: fc.constantFrom('ana', 'ben', 'cleo'),
      session: maybe(fc.constantFrom('s1', 's2', 's3', 's4'), 8),
      event: fc.constantFrom('$pageview', '$pageview', '$pageview', '$screen', 'a', 'b', '$set'),
      at: fc.integer({ min: -3, max: 30 }).map((minute) => hoursFrom(day, (minute * 7) / 60).toISOString()),
      path: fc.constantFrom(...pages),
      screen: fc.constantFrom(...screens),
    })
    .map(({ path, screen, session, ...visit }) => ({
      ...visit,
      ...(session !== undefined && { session }),
      columns: { path },
      properties: { $screen_name: screen },
    }))

const namesOf = { pages, screens, events }

const queryAbout = (day: string) =>
  fc
    .constantFrom<'pages' | 'screens' | 'events'>('pages', 'pages', 'pages', 'screens', 'events')
    .chain((of) => {
      const name = fc.constantFrom(...namesOf[of].filter((one) => one !== ''))
      return fc.record({
        kind: fc.constant('paths'),
        period: periodAround(day),
        of: fc.constant(of),
        events: of === 'events' ? maybe(fc.constant(['a', '$pageview'])) : fc.constant(undefined),
        start: maybe(name, 3),
        end: maybe(name, 3),
        steps: fc.integer({ min: 2, max: 5 }),
        per: fc.constantFrom('session', 'session', 'person'),
        windowMinutes: fc.constantFrom(5, 7, 14, 60),
        clean: fc.boolean(),
        groups: fc.subarray(groups),
        collapse: fc.boolean(),
        top: fc.integer({ min: 1, max: 5 }),
      })
    })

const cases = fc.constantFrom(...awkwardPlaces).chain((place) =>
  fc.record({
    events: fc.array(visitAround(place.day), { maxLength: 14 }),
    calendar: calendarAround(place),
    question: queryAbout(place.day),
  }),
)
type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never

test(`the engine and a pencil agree on ${caseCount} small sets of paths`, async () => {
  const numberOf = await numbersOfNames()
  await expectAgreement<Case, number>({
    cases,
    prepare: (all) => testEngine.addProjects(all.map((one) => one.events)),
    agree: async ({ events: told, calendar, question }, project) => {
      const answer = await testEngine.ask<PathsAnswer>(project, question, calendar)
      const answered = {
        ...answer,
        nodes: answer.nodes.map(({ id, sessions, begin, beyond }) => ({ id, sessions, begin, beyond })),
      }
      const { steps: _, ...plain } = inOrder(answered)
      expect(plain).toEqual(expectedPaths(pathsQuery.parse(question), told, calendar, numberOf))
      expectFlowsToAddUp(answer)
    },
  })
})

function expectFlowsToAddUp({ nodes, links, dropOffs, sessions }: PathsAnswer) {
  const sum = (all: readonly { sessions: number }[]) => all.reduce((total, one) => total + one.sessions, 0)
  for (const node of nodes) {
    const [came, went] = [
      links.filter(({ to }) => to === node.id),
      links.filter(({ from }) => from === node.id),
    ]
    expect(sum(came) + node.begin).toBe(node.sessions)
    expect(sum(went) + sum(dropOffs.filter((one) => one.node === node.id)) + node.beyond).toBe(node.sessions)
  }
  expect(nodes.reduce((total, { begin }) => total + begin, 0)).toBe(sessions)
}

/** Returns the numbers by which the engine sorts where time and size leave it open. */
async function numbersOfNames(): Promise<(name: string) => bigint> {
  const raw = Object.entries(namesOf).flatMap(([of, names]) =>
    names.map((name) => ({ of: of as keyof typeof namesOf, name })),
  ) // the keys of the same object
  const settings = [true, false].flatMap((clean) =>
    [[], ...groups.map((one) => [one])].map((some) => ({ clean, groups: some })),
  )
  const all = new Set(raw.flatMap(({ of, name }) => settings.map((one) => nodeName({ of, ...one }, name))))
  const rows = await testEngine
    .engine()
    .query<{ name: string; number: string }>(
      sql`select arrayJoin(${strings([...all])}) as name, toString(cityHash64(name)) as number`,
    )
  const numbers = new Map(rows.map(({ name, number }) => [name, BigInt(number)]))
  return (name) => numbers.get(name) ?? 0n
}
