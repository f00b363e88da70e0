import { describe, expect, test } from 'vitest'
import {
  openTestProduct,
  requireDone,
  type TestProduct,
  problemMessages,
  present,
} from '#test/product/fixture'
import { operator } from '#projects/access'
import type { FlagSetting } from './flag'
import { instantOn, applyStep } from './schedules'

const you = operator('Ana')

describe('a time of the project’s clocks', () => {
  test.each([
    // as it is written          where             what it means
    ['2026-03-02T10:00:00Z', 'Europe/Berlin', '2026-03-02T10:00:00.000Z'],
    ['2026-03-02T10:00:00+05:30', 'Europe/Berlin', '2026-03-02T04:30:00.000Z'],
    ['2026-03-02T10:00', 'Europe/Berlin', '2026-03-02T09:00:00.000Z'],
    ['2026-03-02T10:00:30', 'UTC', '2026-03-02T10:00:30.000Z'],
    // skipped: as much later as the clocks skip
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    // shown twice: the first time
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    // a day that Samoa never had
    ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
  ])('%s in %s', (text, zone, instant) => {
    expect(instantOn(text, zone)?.toISOString()).toBe(instant)
  })

  test.each(['soon', '', '2026-02-30T10:00', '2026-03-02T25:00', '10:00'])('is never "%s"', (text) => {
    expect(instantOn(text, 'UTC')).toBeUndefined()
  })
})

describe('a step', () => {
  const set = (percentage: number) => ({ description: '', conditions: [], percentage, isLast: false })
  const setting: FlagSetting = { isOn: false, conditions: [set(1), set(2)], payloads: {} }

  test.each([
    ['turns on', { isOn: true }, { isOn: true, shares: [1, 2] }],
    ['lets more in, and turns nothing on', { percentage: 50 }, { isOn: false, shares: [50, 50] }],
    ['lets more in by one set', { percentage: 50, condition: 1 }, { isOn: false, shares: [1, 50] }],
    ['does both', { isOn: true, percentage: 100 }, { isOn: true, shares: [100, 100] }],
  ])('%s', (_, step, { isOn, shares }) => {
    const after = applyStep(setting, { at: new Date(0), ...step })

    expect([after.isOn, after.conditions.map(({ percentage }) => percentage)]).toEqual([isOn, shares])
  })

  test('lets in a share of everyone where no set names people', () => {
    const after = applyStep({ ...setting, conditions: [] }, { at: new Date(0), percentage: 5 })

    expect(after.conditions).toMatchObject([{ conditions: [], percentage: 5 }])
  })
})

/** A flag that is off, in a project in Berlin. */
async function setUp(): Promise<
  TestProduct & { id: number; plan: (steps: object[], more?: object) => Promise<string> }
> {
  const fixture = await openTestProduct()
  const { id } = await fixture.aProject()
  requireDone(await fixture.product.projects.change(id, { timeZone: 'Europe/Berlin' }, you))
  requireDone(await fixture.product.flags.create(id, { key: 'checkout' }, you))
  return {
    ...fixture,
    id,
    plan: async (steps, more) => {
      const { schedules } = fixture.product.flags
      return requireDone(await schedules.create(id, 'checkout', { steps, ...more }, you)).schedule.id
    },
  }
}

const shareOf = async ({ product, id }: { product: TestProduct['product']; id: number }) =>
  (await product.flags.find(id, 'checkout', you))?.environments['production']?.conditions[0]?.percentage

describe('a schedule', () => {
  test('goes up step by step, each when its time has come', async () => {
    const stage = await setUp()
    await stage.plan([
      { at: '2026-03-02T14:00', percentage: 100 },
      { at: '2026-03-02T12:00', isOn: true, percentage: 1 },
      { at: '2026-03-02T13:00', percentage: 10 },
    ])
    const shares = []
    for (let hour = 0; hour < 5; hour++) {
      await stage.product.flags.schedules.run()
      shares.push(await shareOf(stage))
      stage.world.advance('1 hour')
    }

    // it is 11 o'clock in Berlin at first
    expect(shares).toEqual([undefined, 1, 10, 100, 100])
  })

  test('that was missed is made up for in the order in which it should have been, with others', async () => {
    const stage = await setUp()
    await stage.plan([
      { at: '2026-03-02T12:00', percentage: 1 },
      { at: '2026-03-02T14:00', percentage: 3 },
    ])
    await stage.plan([
      { at: '2026-03-02T13:00', percentage: 2 },
      { at: '2026-03-03T13:00', percentage: 4 },
    ])
    stage.world.advance('5 hours')

    expect(await stage.product.flags.schedules.run()).toBe(3)
    const history = await stage.product.flags.history(stage.id, 'checkout', you)
    const shares = history.map(({ flag }) => flag.environments['production']?.conditions[0]?.percentage)
    expect(shares.toReversed()).toEqual([undefined, 1, 2, 3])
    const [ahead] = await stage.product.flags.schedules.list(stage.id, you, 'checkout')
    expect(ahead?.nextAt).toEqual(new Date('2026-03-03T12:00:00Z'))
  })

  test('in an hour that the clocks skip comes an hour later', async () => {
    const stage = await setUp()
    await stage.plan([{ at: '2026-03-29T02:30', isOn: true }])
    const [planned] = await stage.product.flags.schedules.list(stage.id, you)

    expect(planned?.nextAt).toEqual(new Date('2026-03-29T01:30:00Z'))
  })

  test('that was removed does nothing any more, and what it did stays', async () => {
    const stage = await setUp()
    const id = await stage.plan([
      { at: '2026-03-02T12:00', percentage: 1 },
      { at: '2026-03-02T13:00', percentage: 2 },
    ])
    stage.world.advance('1 hour')
    await stage.product.flags.schedules.run()
    requireDone(await stage.product.flags.schedules.remove(stage.id, 'checkout', id, you))
    stage.world.advance('5 hours')

    expect(await stage.product.flags.schedules.run()).toBe(0)
    expect(await shareOf(stage)).toBe(1)
    expect(
      problemMessages(await stage.product.flags.schedules.remove(stage.id, 'checkout', id, you)),
    ).toEqual(['There is no such schedule for this flag.'])
  })

  test('leaves an archived flag alone, and says so', async () => {
    const stage = await setUp()
    await stage.plan([{ at: '2026-03-02T12:00', isOn: true }])
    requireDone(await stage.product.flags.archive(stage.id, 'checkout', you, { anyway: true }))
    stage.world.advance('2 hours')
    await stage.product.flags.schedules.run()
    const [over] = await stage.product.flags.schedules.list(stage.id, you)

    expect(over?.steps).toMatchObject([{ trouble: 'The flag was archived by then.' }])
    expect((await stage.product.flags.history(stage.id, 'checkout', you)).map(({ by }) => by)).not.toContain(
      'schedule',
    )
  })

  test('that changes nothing adds no version to the history', async () => {
    const stage = await setUp()
    await stage.plan([{ at: '2026-03-02T12:00', isOn: false }])
    stage.world.advance('2 hours')
    await stage.product.flags.schedules.run()

    expect(await stage.product.flags.history(stage.id, 'checkout', you)).toHaveLength(1)
  })

  test.each<[object, string]>([
    [{ steps: [] }, 'Give at least one step.'],
    [{ steps: [{ at: '2026-03-02T12:00' }] }, 'Say what is to happen: "isOn", "percentage" or both.'],
    [
      { steps: [{ at: 'soon', isOn: true }] },
      'Give an instant such as "2026-03-02T10:00:00Z", or a time of the project’s clocks: "2026-03-02T10:00".',
    ],
    [{ steps: [{ at: '2026-03-02T09:00', isOn: true }] }, 'This is past already. Choose a later time.'],
    [{ steps: [{ at: '2026-03-02T12:00', percentage: 101 }] }, 'A percentage is not more than 100.'],
    [{ steps: [{ at: '2026-03-02T12:00', percentage: 0.001 }] }, 'Percentages go in steps of 0.01.'],
    [
      {
        steps: [
          { at: '2026-03-02T12:00', isOn: true },
          { at: '2026-03-02T11:00:00Z', isOn: false },
        ],
      },
      'Two steps are at the same time. Make them one, or move one of them.',
    ],
    [
      { environment: 'nowhere', steps: [{ at: '2026-03-02T12:00', isOn: true }] },
      'There is no environment “nowhere” in this project.',
    ],
    [
      { steps: [{ at: '2026-03-02T12:00', percentage: 1, condition: 3 }] },
      'There are only 0 condition sets in “production”.',
    ],
  ])('is refused in words: %j', async (wanted, sentence) => {
    const { product, id } = await setUp()

    expect(problemMessages(await product.flags.schedules.create(id, 'checkout', wanted, you))).toEqual([
      sentence,
    ])
  })
})

test('what lies ahead comes first in the list, the next of it at the top', async () => {
  const { plan, product, world, id } = await setUp()
  const over = await plan([{ at: '2026-03-02T12:00', isOn: true }])
  const late = await plan([{ at: '2026-03-09T12:00', isOn: false }])
  const soon = await plan([{ at: '2026-03-04T12:00', isOn: false }])
  world.advance('2 hours')
  await product.flags.schedules.run()

  expect((await product.flags.schedules.list(id, you)).map((one) => one.id)).toEqual([soon, late, over])
  expect(present((await product.flags.schedules.list(id, you, 'checkout')).at(-1)).nextAt).toBeUndefined()
})
