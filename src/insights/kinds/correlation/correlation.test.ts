import { expect, test } from 'vitest'
import { anEngine, type TestEvent, uuidFor } from '#test/product/test-engine'
import { readQuery } from '#insights/ask'
import type { CorrelationAnswer } from './answer'

const testEngine = anEngine()

const query = {
  kind: 'correlation',
  period: '2026-03-02..2026-03-04',
  steps: [{ event: 'sign up' }, { event: 'pay' }],
  window: { amount: 1, unit: 'hour' },
}

/** Twenty who pay and twenty who do not; most who pay have read the help, and most who do not saw an error. */
function crowd(): TestEvent[] {
  return Array.from({ length: 40 }, (_, i) => {
    const person = `person ${i}`
    const hasPaid = i < 20
    const browser = i % 20 < 16 === hasPaid ? 'Firefox' : 'Chrome'
    const at = (minutes: number, event: string): TestEvent => ({
      person,
      event,
      at: minutes,
      columns: { browser },
    })
    return [
      { ...at(0, 'sign up'), properties: { plan: hasPaid ? 'team' : 'solo', lucky: String(i) } },
      ...(i % 20 < (hasPaid ? 16 : 4) ? [at(5, 'read help'), at(6, 'read help')] : []),
      ...(i % 20 < (hasPaid ? 2 : 18) ? [at(7, 'saw error')] : []),
      ...(i % 2 === 0 ? [at(8, 'looked around')] : []),
      ...(hasPaid ? [at(20, 'pay'), at(30, 'read invoice')] : []),
      at(90, 'came back'),
    ]
  }).flat()
}

const ratio = (with_: [number, number], without: [number, number]) =>
  ((with_[0] + 1) * (without[1] + 1)) / ((with_[1] + 1) * (without[0] + 1))

test('events that set converters apart, with their odds', async () => {
  const answer = await testEngine.ask<CorrelationAnswer>(await testEngine.addProject(crowd()), query)

  expect(answer).toMatchObject({
    converted: 20,
    dropped: 20,
    raising: [{ name: 'read help', converted: 16, dropped: 4 }],
    lowering: [{ name: 'saw error', converted: 2, dropped: 18 }],
  })
  expect(answer.raising[0]?.oddsRatio).toBeCloseTo(ratio([16, 4], [4, 16]))
  expect(answer.lowering[0]?.oddsRatio).toBeCloseTo(ratio([2, 18], [18, 2]))
  // 1/17 + 1/5 + 1/5 + 1/17 under the root, 1.96 times
  expect(answer.raising[0]?.interval.from).toBeCloseTo(
    Math.exp(Math.log(289 / 25) - 1.96 * Math.sqrt(2 / 17 + 2 / 5)),
  )
})

test('properties of the first step that set converters apart', async () => {
  const answer = await testEngine.ask<CorrelationAnswer>(await testEngine.addProject(crowd()), {
    ...query,
    by: 'event property',
  })

  expect(
    answer.raising.map(({ name, value, converted, dropped }) => [name, value, converted, dropped]),
  ).toEqual([
    ['plan', 'team', 20, 0],
    ['$browser', 'Firefox', 16, 4],
  ])
  expect(answer.raising.map(({ label }) => label)).toEqual(['plan: team', 'Browser: Firefox'])
  expect(answer.lowering.map(({ name, value }) => [name, value])).toEqual([
    ['plan', 'solo'],
    ['$browser', 'Chrome'],
  ])
})

test('values have the names that people know', async () => {
  const story = crowd().map((told) => ({
    ...told,
    columns: { ...told.columns, country: Number(told.person.replace('person ', '')) < 20 ? 'DE' : 'FR' },
  }))
  const { raising, lowering } = await testEngine.ask<CorrelationAnswer>(await testEngine.addProject(story), {
    ...query,
    by: 'event property',
  })

  expect(raising.map(({ label }) => label)).toContain('Country: Germany')
  expect(lowering.map(({ label }) => label)).toContain('Country: France')
})

test('properties of persons that set converters apart', async () => {
  const project = await testEngine.addProject(crowd())
  const persons = Array.from({ length: 40 }, (_, i) => ({
    project_id: project,
    person_id: uuidFor(`person ${i}`),
    properties: { role: i < 20 ? 'boss' : 'guest' },
    is_identified: true,
    created_at: '2026-03-01 00:00:00',
    version: 1,
    is_deleted: 0,
  }))
  await testEngine.fill('persons', persons)

  const answer = await testEngine.ask<CorrelationAnswer>(project, { ...query, by: 'person property' })

  expect(answer.raising).toMatchObject([{ name: 'role', value: 'boss', converted: 20, dropped: 0 }])
  expect(answer.lowering).toMatchObject([{ name: 'role', value: 'guest', converted: 0, dropped: 20 }])
})

test('shows twenty each way at most, the strongest first', async () => {
  const story = crowd().map((told) => ({
    ...told,
    properties: {
      ...told.properties,
      ...Object.fromEntries(
        Array.from({ length: 30 }, (_, i) => [`key ${i}`, told.properties?.['plan'] ?? '']),
      ),
    },
  }))

  const answer = await testEngine.ask<CorrelationAnswer>(await testEngine.addProject(story), {
    ...query,
    by: 'event property',
  })

  expect(answer.raising).toHaveLength(20)
  expect(answer.lowering).toHaveLength(20)
})

test('leaves out what fewer persons have than asked for', async () => {
  const project = await testEngine.addProject([
    ...crowd(),
    ...Array.from({ length: 9 }, (_, i): TestEvent[] => [
      { person: `person ${i}`, event: 'called us', at: 9, columns: {} },
    ]).flat(),
  ])
  const raisingWith = async (leastPersons?: number) =>
    (await testEngine.ask<CorrelationAnswer>(project, { ...query, leastPersons })).raising.map(
      ({ name }) => name,
    )

  expect(await raisingWith()).toEqual(['read help'])
  expect(await raisingWith(9)).toEqual(['called us', 'read help'])
  expect(await raisingWith(21)).toEqual([])
})

test('events that no one sends on purpose are no traits until they are asked for', async () => {
  const project = await testEngine.addProject([
    ...crowd(),
    ...Array.from({ length: 20 }, (_, i): TestEvent => ({
      person: `person ${i}`,
      event: '$web_vitals',
      at: 9,
    })),
  ])
  const raising = async (change: object) =>
    (await testEngine.ask<CorrelationAnswer>(project, { ...query, ...change })).raising.map(
      ({ name }) => name,
    )

  expect(await raising({})).toEqual(['read help'])
  expect(await raising({ systemEvents: true })).toEqual(['$web_vitals', 'read help'])
})

test('names who is behind a number', async () => {
  const scope = testEngine.scope(await testEngine.addProject(crowd()))
  const read = readQuery(query)
  const behind =
    read.done && (await read.ready.personsBehind?.({ name: 'saw error', outcome: 'converted' }, scope))
  const rows = behind && behind.done ? await scope.run<{ person: string }>(behind.statement) : []

  expect(rows.map(({ person }) => person).toSorted()).toEqual(
    ['person 0', 'person 1'].map(uuidFor).toSorted(),
  )
})

test.each([
  [{ step: 2 }, 'The funnel has no step 3.'],
  [{ step: 0 }, 'Choose a step after the first.'],
  [{ leastPersons: 0 }, 'A trait has at least one person.'],
  [{ steps: [{ event: 'a' }] }, 'A funnel has at least two steps.'],
])('%j cannot be asked', (change, sentence) => {
  const read = readQuery({ ...query, ...change })

  expect(read.done ? [] : read.problems.map(({ message }) => message)).toContain(sentence)
})
