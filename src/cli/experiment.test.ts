import { join, resolve } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openTestProduct, present, requireDone } from '#test/product/fixture'
import { operator } from '#projects/access'
import { commandLine } from './command-line'
import { metricRows } from '#experiments/results/metric-rows'

const you = operator('Ana')
const root = resolve(import.meta.dirname, '../../..')

afterEach(() => {
  process.exitCode = undefined
})

/** A project with a draft, and a shell on its machine. */
async function aShell() {
  const { product, folder, aProject } = await openTestProduct()
  const { id } = await aProject({ name: 'Acme' })
  const variants = ['control', 'test'].map((key) => ({ key, percentage: 50 }))
  requireDone(await product.flags.create(id, { key: 'checkout', kind: 'variants', variants }, you))
  requireDone(await product.flags.turn(id, 'checkout', { isOn: true }, you))
  const metrics = [{ name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }]
  const { experiment } = requireDone(
    await product.experiments.create(id, { name: 'New checkout', flag: 'checkout', metrics }, you),
  )
  vi.stubEnv('TILTH_DATA', folder)
  vi.stubEnv('PORT', '1')
  onTestFinished(() => void vi.unstubAllEnvs())
  return { product, id, experiment: experiment.id, says }
}

async function says(...args: string[]) {
  const out: string[] = []
  const err: string[] = []
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean(out.push(String(text)))),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean(err.push(String(text)))),
  ]
  try {
    await commandLine({ root, programs: join(root, 'dist') }, '0.0.0').parseAsync(['experiment', ...args], {
      from: 'user',
    })
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return { out: out.join(''), err: err.join(''), code: process.exitCode }
}

describe('tilth experiment', () => {
  test('lists and shows a draft, as text and as JSON', async () => {
    const shell = await aShell()
    const listed = (await shell.says('list', 'acme')).out.split('\n')
    expect(listed[0]).toMatch(/^ID +STATUS +FLAG +STARTED +ENDED +NAME$/)
    expect(listed[1]).toMatch(new RegExp(`^${shell.experiment} +draft +checkout +– +– +New checkout$`))
    expect((await shell.says('show', 'acme', shell.experiment)).out).toBe(
      'New checkout (draft, flag checkout)\nThe experiment has not started.\n',
    )
    expect(JSON.parse((await shell.says('show', 'acme', shell.experiment, '--json')).out)).toMatchObject({
      experiment: { id: shell.experiment, status: 'draft' },
      verdict: { advice: 'not-started' },
    })
  })

  test('starts one, and ships a variant with a note', async () => {
    const { product, id, experiment, says: say } = await aShell()
    expect((await say('start', 'acme', experiment)).out).toBe('“New checkout” has started.\n')
    const shipped = await say('ship', 'acme', experiment, 'test', '--note', 'As hoped.')
    expect(shipped.out).toBe('“New checkout” has ended: everyone gets “test”.\n')
    expect(present(await product.experiments.find(id, experiment, you)).conclusion).toMatchObject({
      outcome: 'shipped',
      variant: 'test',
      note: 'As hoped.',
      by: 'command line',
    })
  })

  test('ends one without a decision', async () => {
    const { product, id, experiment, says: say } = await aShell()
    await say('start', 'acme', experiment)
    expect((await say('end', 'acme', experiment, '--undecided')).out).toBe('“New checkout” has ended.\n')
    expect(present(await product.experiments.find(id, experiment, you)).conclusion?.outcome).toBe('undecided')
  })

  test('says what is wrong', async () => {
    const { experiment, says: say } = await aShell()
    expect(await say('end', 'acme', experiment)).toMatchObject({
      err: 'The experiment has not started.\n',
      code: 1,
    })
    expect((await say('show', 'acme', 'none')).err).toBe(
      'There is no such experiment in this project. See: tilth experiment list <project>\n',
    )
    await say('start', 'acme', experiment)
    expect((await say('show', 'acme', experiment)).err).toMatch(/^No Tilth answers at /)
  })
})

test('a row for each metric and variant', () => {
  const estimate = {
    value: 0.12,
    low: 0.04,
    high: 0.2,
    standardError: 0.04,
    p: undefined,
    adjustedP: undefined,
    chance: 0.99,
    loss: 0,
  }
  const about = { id: 'orders', name: 'Orders', role: 'primary', goal: 'increase', margin: 5 } as const
  const value = (variant: string, of: number | null) => ({ variant, units: 100, value: of, steps: [] })
  const metrics = [
    {
      ...about,
      shape: 'share' as const,
      limits: [],
      values: [value('control', 0.1), value('test', 0.112), value('late', null)],
      comparisons: [
        {
          variant: 'test',
          state: 'estimated' as const,
          relative: estimate,
          absolute: estimate,
          adjusted: undefined,
          reading: 'better' as const,
        },
        { variant: 'late', state: 'no-estimate' as const, reason: 'too-few-units' as const },
      ],
    },
  ]
  expect(metricRows({ report: { metrics } })).toEqual([
    ['Orders', 'control', '10.00%', '–', 'control'],
    ['Orders', 'test', '11.20%', '+12% (+4% to +20%)', 'better'],
    ['Orders', 'late', '–', '–', 'too-few-units'],
  ])
})

test('shows, pauses and resumes the weights of a bandit', async () => {
  const { product, id, experiment, says: say } = await aShell()
  expect((await say('weights', 'acme', experiment)).err).toBe(
    'There is no started bandit with this id in this project.\n',
  )
  requireDone(await product.experiments.change(id, experiment, { kind: 'bandit' }, you))
  requireDone(await product.experiments.start(id, experiment, {}, you))
  const lines = (await say('weights', 'acme', experiment)).out.split('\n')
  expect(lines[0]).toBe('The weights are equal at the start.')
  expect(lines[2]).toMatch(/^control +50% +– +0$/)
  expect(lines[6]).toMatch(/^20\S+ \S+ +50% +50% +/)
  expect((await say('weights', 'acme', experiment, '--pause')).out).toMatch(
    /^Paused: command line paused it\.\n/,
  )
  const resumed = await say('weights', 'acme', experiment, '--resume', '--json')
  expect(JSON.parse(resumed.out)).toMatchObject({ state: 'running', variants: ['control', 'test'] })
})
