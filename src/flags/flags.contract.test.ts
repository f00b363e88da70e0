import { describe, expect, test, vi } from 'vitest'
import {
  openTestProduct,
  requireDone,
  type TestProduct,
  problemMessages,
  present,
} from '#test/product/fixture'
import { describeOnPostgres } from '#test/outside/postgres'
import { operator } from '#projects/access'
import { patienceMs } from '#test/running/patience'

const you = operator('Ana')
const everybody = [{ percentage: 100 }]

/** The whole room on either form of the store, in one life: what differs between the two shows here. */
function aLifeOf(begin: () => Promise<TestProduct>): void {
  test('from the first version to the archive and back', async () => {
    const { product, anotherProcess, world, aProject } = await begin()
    const { id } = await aProject()
    const other = await anotherProcess()
    const made = requireDone(
      await product.flags.create(
        id,
        {
          key: 'checkout',
          tags: ['shop'],
          kind: 'variants',
          variants: [
            { key: 'control', percentage: 33.34 },
            { key: 'test', percentage: 66.66 },
          ],
          payloads: { test: '{"color":"blue"}' },
          earlyAccess: { name: 'New checkout', stage: 'beta' },
          environments: { production: { isOn: true, conditions: [{ percentage: 0.01 }] } },
        },
        you,
      ),
    ).flag
    expect(made).toMatchObject({
      id: 1,
      key: 'checkout',
      version: 1,
      createdBy: 'Ana',
      createdAt: world.now(),
    })
    expect(await other.flags.find(id, 'checkout', you)).toEqual(made)

    world.advance('1 minute')
    const change = { environments: { production: { conditions: everybody } }, note: 'For all', version: 1 }
    const changed = requireDone(await other.flags.change(id, 'checkout', change, you)).flag
    expect(changed).toMatchObject({ version: 2, changedAt: world.now(), tags: ['shop'] })
    await vi.waitFor(() => expect(product.flags.definitions.find(id, 'checkout')?.version).toBe(2), {
      timeout: patienceMs,
      interval: 20,
    })

    requireDone(await product.flags.turn(id, 'checkout', { isOn: false }, you))
    const reverted = requireDone(await product.flags.revert(id, 'checkout', 2, you)).flag
    expect({ ...reverted, version: 2 }).toEqual(changed)
    requireDone(await product.flags.archive(id, 'checkout', you, { anyway: true }))
    expect(await other.flags.list(id, you)).toMatchObject([{ key: 'checkout', archivedAt: world.now() }])
    requireDone(await product.flags.restore(id, 'checkout', you))

    const history = await other.flags.history(id, 'checkout', you)
    expect(history.map(({ version, note, by }) => [version, note, by])).toEqual([
      [6, undefined, 'Ana'],
      [5, undefined, 'Ana'],
      [4, 'Back to version 2.', 'Ana'],
      [3, undefined, 'Ana'],
      [2, 'For all', 'Ana'],
      [1, undefined, 'Ana'],
    ])
    expect(history.map(({ flag }) => flag.environments['production']?.isOn)).toEqual([
      true,
      true,
      true,
      false,
      true,
      true,
    ])
    expect(present(history.at(-1)).flag).toEqual(made)
    expect(await product.projects.audit.firstBrokenLink()).toBeUndefined()
  })

  test('one flag of a key and one change of a version, however many come at once', async () => {
    const { product, anotherProcess, aProject } = await begin()
    const { id } = await aProject()
    const processes = [product, await anotherProcess(), product, await anotherProcess()]
    const made = await Promise.all(processes.map(({ flags }) => flags.create(id, { key: 'checkout' }, you)))
    expect(made.filter((outcome) => outcome.done)).toHaveLength(1)

    const changes = await Promise.all(
      processes.map(({ flags }, place) =>
        flags.change(id, 'checkout', { description: `From ${place}`, version: 1 }, you),
      ),
    )
    const refused = changes.filter((outcome) => !outcome.done)
    expect(refused.map(problemMessages)).toEqual(
      Array.from({ length: 3 }, () => [
        '“checkout” was changed by Ana at 10:00 UTC on 2026-03-02. Load it again, then repeat your change.',
      ]),
    )
    expect(await product.flags.history(id, 'checkout', you)).toHaveLength(2)
  })

  test('a step of a schedule is taken once, however many fronts there are', async () => {
    const { product, anotherProcess, world, aProject } = await begin()
    const { id } = await aProject()
    const other = await anotherProcess()
    requireDone(await product.flags.create(id, { key: 'checkout' }, you))
    const steps = [
      { at: '2026-03-02T11:00:00Z', isOn: true, percentage: 10 },
      { at: '2026-03-02T12:00:00Z', percentage: 12.5 },
    ]
    requireDone(await product.flags.schedules.create(id, 'checkout', { steps }, you))
    expect(await product.flags.schedules.run()).toBe(0)

    world.advance('3 hours')
    await Promise.all([product, other, product, other].map(({ flags: { schedules } }) => schedules.run()))
    const history = await other.flags.history(id, 'checkout', you)
    expect(history.map(({ by, note, flag }) => [by, note, flag.environments['production']])).toMatchObject([
      ['schedule', 'By the schedule of Ana.', { isOn: true, conditions: [{ percentage: 12.5 }] }],
      ['schedule', 'By the schedule of Ana.', { isOn: true, conditions: [{ percentage: 10 }] }],
      ['Ana', undefined, undefined],
    ])
    expect(await product.flags.schedules.list(id, you)).toMatchObject([
      { nextAt: undefined, steps: [{ doneAt: world.now() }, { doneAt: world.now() }] },
    ])
  })

  test('environments and holdouts from beginning to end', async () => {
    const { product, anotherProcess, aProject } = await begin()
    const { id, writeKey } = await aProject()
    const other = await anotherProcess()
    const { environment } = requireDone(await product.flags.environments.create(id, { name: 'staging' }, you))
    expect(product.flags.environments.environmentNamed(environment.writeKey)).toEqual(environment)
    await vi.waitFor(
      () => expect(other.flags.environments.environmentNamed(environment.writeKey)).toEqual(environment),
      { timeout: patienceMs, interval: 20 },
    )
    expect(await other.flags.environments.list(id, you)).toEqual([
      { projectId: id, name: 'production', writeKey },
      environment,
    ])
    const { holdout } = requireDone(
      await product.flags.holdouts.create(id, { name: 'Spring', percentage: 2.5 }, you),
    )
    const staging = { isOn: true, conditions: everybody, holdout: { id: holdout.id, percentage: 100 } }
    requireDone(await product.flags.create(id, { key: 'checkout', environments: { staging } }, you))
    requireDone(await other.flags.holdouts.change(id, holdout.id, { percentage: 7.25 }, you))
    const flag = await product.flags.find(id, 'checkout', you)
    expect(flag?.environments['staging']?.holdout).toEqual({ id: holdout.id, percentage: 7.25 })
    expect(problemMessages(await product.flags.holdouts.remove(id, holdout.id, you))).toEqual([
      'It is used by “checkout”. Take it out of there first.',
    ])

    const renewed = requireDone(await product.flags.environments.renewKey(id, 'staging', you)).environment
    expect(product.flags.environments.environmentNamed(environment.writeKey)).toBeUndefined()
    expect(requireDone(await product.flags.environments.remove(id, 'staging', you)).flags).toBe(1)
    expect(product.flags.environments.environmentNamed(renewed.writeKey)).toBeUndefined()
    expect(await product.flags.history(id, 'checkout', you)).toMatchObject([
      { version: 2, note: 'The environment “staging” was removed.', flag: { environments: {} } },
      { version: 1 },
    ])

    requireDone(
      await other.flags.environments.create(id, { name: 'staging', writeKey: renewed.writeKey }, you),
    )
    const back = requireDone(await product.flags.revert(id, 'checkout', 1, you)).flag
    expect(back.environments).toEqual(flag?.environments)
  })
}

describe('flags in a file', () => aLifeOf(() => openTestProduct()))

describeOnPostgres('flags', (emptyDatabase) =>
  aLifeOf(async () => openTestProduct({ url: await emptyDatabase() })),
)
