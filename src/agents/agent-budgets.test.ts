import { expect, test } from 'vitest'
import { anEngine } from '#test/product/test-engine'
import { openTestProduct, present, problemMessages, requireDone } from '#test/product/fixture'
import { operator } from '#projects/access'
import { AgentBudgets, budgetWords, dearWords, minuteLimits } from './internal/agent-budgets'
import { agentTools } from './tools'

const ana = operator('Ana')
const engine = anEngine()

test('a minute has sixty calls for each assistant, and the next minute has them again', () => {
  let now = 0
  const budgets = new AgentBudgets(() => now)
  const begun = Array.from({ length: minuteLimits.calls }, () => budgets.begin('one'))
  expect(begun.filter((one) => typeof one === 'string')).toEqual([])
  now = 20_000
  expect(budgets.begin('one')).toMatch(/^60 calls a minute are used up\. Ask again in 40 seconds, /)
  expect(budgets.begin('another')).toMatchObject({})
  expect(typeof budgets.begin('another')).toBe('object')
  now = 60_000
  expect(typeof budgets.begin('one')).toBe('object')
})

test('rows that one call reads are missing for the next, and never below none', () => {
  const budgets = new AgentBudgets(() => 0)
  const begin = () => {
    const budget = budgets.begin('one')
    if (typeof budget === 'string') throw new Error(budget)
    return budget
  }
  begin().spend(120_000_000)
  expect(budgetWords(begin().left())).toBe(
    'Left in this minute: 58 of 60 calls, 380,000,000 of 500,000,000 rows.',
  )
  begin().spend(900_000_000)
  expect(begin().left().rows).toBe(0)
})

test.each([
  ['what fits', { rows: 10, days: 30 }, 10, undefined],
  [
    'more than is left',
    { rows: 300, days: 30 },
    100,
    'This would read about 300 rows, and 100 of 500,000,000 are left in this minute. Ask for a shorter period: "10d" would fit. Or wait. Ask again in 5 seconds.',
  ],
  [
    'more than a minute has',
    { rows: 2_000_000_000, days: 365 },
    500_000_000,
    'This would read about 2,000,000,000 rows, and 500,000,000 of 500,000,000 are left in this minute. Ask for a shorter period: "91d" would fit.',
  ],
  [
    'anything after all is spent',
    { rows: 0, days: 0 },
    0,
    'The 500,000,000 rows of this minute are used up. Ask again in 5 seconds.',
  ],
])('%s', (_, cost, rows, words) => {
  expect(dearWords(cost, { calls: 1, rows, seconds: 5 })).toBe(words)
})

/** A project with a thousand events of two days ago: answers of the first day are not kept. */
async function aBusyProject() {
  const { product, world, aProject } = await openTestProduct({ engine: engine.engine() })
  const at = new Date(world.now().getTime() - 2 * 86_400_000).toISOString()
  const told = await engine.addProject(
    Array.from({ length: 1000 }, (_, i) => ({ person: `p${i}`, event: 'order', at })),
  )
  let project = await aProject()
  while (project.id < told) project = await aProject()
  let rows = minuteLimits.rows
  const budget = {
    left: () => ({ calls: 1, rows, seconds: 30 }),
    spend: (read: number) => {
      rows = Math.max(0, rows - read)
    },
  }
  const call = (name: string, input: Record<string, unknown>) => {
    const tool = present(agentTools.find((one) => one.name === name))
    return tool.answer({
      product,
      project,
      viewer: ana,
      input: tool.input.parse(input),
      signal: undefined,
      budget,
    })
  }
  return {
    product,
    project,
    call,
    spent: () => minuteLimits.rows - rows,
    leave: (left: number) => (rows = left),
  }
}

const trend = { kind: 'trend', series: [{ event: 'order' }], period: '7d' }

test('a question costs the rows that it read, and the same question is free while its answer is kept', async () => {
  const { call, spent } = await aBusyProject()
  requireDone(await call('run_query', { query: trend }))
  const once = spent()
  expect(once).toBeGreaterThanOrEqual(1000)
  requireDone(await call('run_query', { query: trend }))
  expect(spent()).toBe(once)
  requireDone(await call('run_sql', { sql: 'select count(distinct person_id) from events' }))
  expect(spent()).toBeGreaterThanOrEqual(once + 1000)
})

test('a question that would read more than is left says how to narrow it, and one that fits is answered', async () => {
  const { product, project, call, leave } = await aBusyProject()
  const { cost } = requireDone(await product.insights.expectedCost(project.id, trend, ana))
  expect(cost).toEqual({ rows: expect.toSatisfy((rows: number) => rows >= 1000), days: expect.any(Number) })
  leave(500)
  const query = { ...trend, period: '30d' }
  for (const [name, input] of [
    ['run_query', { query }],
    ['list_persons', { query, point: { series: 0 } }],
    ['web_overview', {}],
  ] as const)
    expect(problemMessages(await call(name, input))).toEqual([
      expect.stringMatching(
        /^This would read about 1,\d{3} rows, and 500 of .* Ask for a shorter period: "\d+d" would fit/,
      ),
    ])
  requireDone(await call('run_query', { query: { ...trend, period: '2025-01-01..2025-01-31' } }))
  leave(0)
  expect(problemMessages(await call('run_sql', { sql: 'select 1' }))).toEqual([
    'The 500,000,000 rows of this minute are used up. Ask again in 30 seconds.',
  ])
})
