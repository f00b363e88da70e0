import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  openTestProduct,
  requireDone,
  type TestProduct,
  problemMessages,
  present,
} from '#test/product/fixture'
import { operator } from '#projects/access'
import { openStore } from '#store/open'
import type { Flag } from './flag'
import { type FlagClient, Flags } from './flags'
import { Seal, sealFile } from './seal'
import { nextFlagId, saveFlags } from './store'

const you = operator('Ana')

interface Stage extends TestProduct {
  id: number
  make: (key: string, more?: object) => Promise<Flag>
}

async function setUp(): Promise<Stage> {
  const fixture = await openTestProduct()
  const { id } = await fixture.aProject()
  const make = async (key: string, more: object = {}) =>
    requireDone(await fixture.product.flags.create(id, { key, ...more }, you)).flag
  return { ...fixture, id, make }
}

const asking = (...conditions: object[]) => ({
  environments: { production: { isOn: true, conditions: [{ conditions }] } },
})
const needs = (flag: string, value: boolean | string = true) => asking({ type: 'flag', flag, value })
const twoVariants = {
  kind: 'variants',
  variants: [
    { key: 'a', percentage: 50 },
    { key: 'b', percentage: 50 },
  ],
}

describe('a flag is refused in words', () => {
  test.each<[string, object, string]>([
    [
      'that needs one that is not there',
      needs('gone'),
      'A condition asks about the flag “gone”, which this project does not have.',
    ],
    [
      'that needs one that is archived',
      needs('archived'),
      'A condition asks about the flag “archived”, which this project does not have.',
    ],
    ['that needs itself', needs('new'), 'A flag cannot depend on itself.'],
    [
      'that asks for a variant that is never given',
      needs('split', 'c'),
      'A condition asks whether “split” gives “c”, which it never does.',
    ],
    [
      'that asks for an unknown cohort',
      asking({ type: 'cohort', cohort: 'staff', operator: 'in' }),
      'A condition asks for the cohort “staff”, which this project does not have.',
    ],
    [
      'with an unknown holdout',
      { environments: { production: { holdout: { id: 7, percentage: 5 } } } },
      'There is no holdout 7 in this project. Make it first.',
    ],
    [
      'that is set in an unknown environment',
      { environments: { staging: { isOn: true } } },
      'There is no environment “staging” in this project. Make it first.',
    ],
    ['whose key is taken', { key: 'split' }, 'There is a flag “split” already. Choose another key.'],
    [
      'whose key an archived one has',
      { key: 'archived' },
      'There was a flag “archived”, which is archived. Restore it, or choose another key.',
    ],
  ])('%s', async (_, more, sentence) => {
    const { product, id, make } = await setUp()
    await make('split', twoVariants)
    await make('archived')
    requireDone(await product.flags.archive(id, 'archived', you, { anyway: true }))

    expect(problemMessages(await product.flags.create(id, { key: 'new', ...more }, you))).toEqual([sentence])
  })

  test('that would need itself by way of others', async () => {
    const { product, id, make } = await setUp()
    await make('one')
    await make('two', needs('one'))
    await make('three', needs('two'))

    expect(problemMessages(await product.flags.change(id, 'one', needs('three'), you))).toEqual([
      'Flags cannot depend on each other in a circle: one → three → two → one. Take one condition away.',
    ])
  })

  test('that takes away a variant others ask for', async () => {
    const { product, id, make } = await setUp()
    await make('split', twoVariants)
    await make('other', needs('split', 'b'))
    const wanted = { variants: [{ key: 'a', percentage: 100 }] }

    expect(problemMessages(await product.flags.change(id, 'split', wanted, you))).toEqual([
      '“other” asks whether this flag gives “b”. Change that one first.',
    ])
  })

  test('that would be one too many', async () => {
    const { product, id, make, folder } = await setUp()
    const first = await make('flag-0')
    const store = await openStore({ folder })
    const next = await nextFlagId(store)
    const flags = Array.from({ length: 9_999 }, (_, place) => ({
      ...first,
      id: next + place,
      key: `flag-${place + 1}`,
    }))
    await store.transaction((transaction) =>
      saveFlags(
        transaction,
        flags.map((flag) => ({ flag, by: 'Ana', note: undefined })),
      ),
    )
    await store.close()
    const sentence = 'A project has at most 10,000 flags. Archive what no code asks for any more.'

    expect(problemMessages(await product.flags.create(id, { key: 'one-more' }, you))).toEqual([sentence])
    requireDone(await product.flags.archive(id, 'flag-1', you, { anyway: true }))
    await make('one-more')
    expect(problemMessages(await product.flags.restore(id, 'flag-1', you))).toEqual([sentence])
  })
})

describe('a change', () => {
  test('that changes nothing leaves no trace', async () => {
    const { product, id, make } = await setUp()
    const made = await make('checkout', needsNothing)
    const { flag } = requireDone(await product.flags.change(id, 'checkout', needsNothing, you))

    expect(flag).toEqual(made)
    expect(await product.flags.history(id, 'checkout', you)).toHaveLength(1)
  })

  test('leaves alone what it does not speak of, and other environments', async () => {
    const { product, id, make } = await setUp()
    requireDone(await product.flags.environments.create(id, { name: 'staging' }, you))
    await make('checkout', { ...needsNothing, tags: ['shop'], environments: { staging: { isOn: true } } })
    const change = { environments: { production: { isOn: true } } }
    const { flag } = requireDone(await product.flags.change(id, 'checkout', change, you))

    expect(flag).toMatchObject({
      tags: ['shop'],
      description: 'Buys faster',
      environments: { staging: { isOn: true }, production: { isOn: true } },
    })
  })

  test('of an archived flag has to wait until it is back', async () => {
    const { product, id, make } = await setUp()
    await make('checkout')
    requireDone(await product.flags.archive(id, 'checkout', you, { anyway: true }))
    const sentence = ['The flag is archived. Restore it first.']

    expect(problemMessages(await product.flags.change(id, 'checkout', { owner: 'Ben' }, you))).toEqual(
      sentence,
    )
    expect(problemMessages(await product.flags.turn(id, 'checkout', { isOn: true }, you))).toEqual(sentence)
    expect(problemMessages(await product.flags.revert(id, 'checkout', 1, you))).toEqual(sentence)
  })

  test('a flag without conditions is on for everyone when switched on', async () => {
    const { product, id, make } = await setUp()
    await make('checkout')
    const { flag } = requireDone(await product.flags.turn(id, 'checkout', { isOn: true }, you))

    expect(flag.environments['production']).toMatchObject({ isOn: true, conditions: [{ percentage: 100 }] })
  })

  test('in an unknown environment is refused', async () => {
    const { product, id, make } = await setUp()
    await make('checkout')

    expect(
      problemMessages(await product.flags.turn(id, 'checkout', { environment: 'nowhere', isOn: true }, you)),
    ).toEqual(['There is no environment “nowhere” in this project. Make it first.'])
  })

  test('back to a version that needed what is gone is refused', async () => {
    const { product, id, make } = await setUp()
    await make('one')
    await make('two', needs('one'))
    requireDone(
      await product.flags.change(id, 'two', { environments: { production: { conditions: [] } } }, you),
    )
    requireDone(await product.flags.archive(id, 'one', you, { anyway: true }))

    expect(problemMessages(await product.flags.revert(id, 'two', 1, you))).toEqual([
      'A condition asks about the flag “one”, which this project does not have.',
    ])
    expect(problemMessages(await product.flags.revert(id, 'two', 9, you))).toEqual([
      'There is no version 9 of this flag.',
    ])
  })
})

const needsNothing = { description: 'Buys faster' }

describe('the archive', () => {
  test('does not take what others need', async () => {
    const { product, id, make } = await setUp()
    await make('one')
    for (const key of ['two', 'three', 'four', 'five']) await make(key, needs('one'))

    expect(problemMessages(await product.flags.archive(id, 'one', you, { anyway: true }))).toEqual([
      'It is needed by “five”, “four”, “three” and 1 more. Change that first.',
    ])
  })

  test.each<[string, readonly FlagClient[] | undefined, string[]]>([
    ['nobody asks for', [], []],
    [
      'code still asks for',
      [
        { client: 'posthog-node', times: 1240 },
        { client: 'web', times: 1 },
      ],
      [
        'Code still asks for it: posthog-node 1,240 times, web once in the last 7 days. Take it out of there first, or archive it anyway.',
      ],
    ],
    [
      'nobody can say about',
      undefined,
      ['Whether code still asks for it cannot be found out just now. Try again later, or archive it anyway.'],
    ],
  ])('is told of what %s', async (_, silentClients, sentences) => {
    const { product, id, make, folder, world } = await setUp()
    await make('checkout')
    const store = await openStore({ folder })
    const { deciding, definitions } = product.flags
    const { cohorts } = product.people
    const seal = new Seal({ folder, world })
    const flags = new Flags({
      store,
      world,
      seal,
      cohorts,
      decider: deciding,
      definitions,
      recentClientsOf: async () => silentClients,
      runningExperiments: async () => new Map(),
    })
    const outcome = await flags.archive(id, 'checkout', you)
    const told = outcome.done ? [] : problemMessages(outcome)
    const isArchivedAnyway = outcome.done || (await flags.archive(id, 'checkout', you, { anyway: true })).done
    await store.close()

    expect([told, isArchivedAnyway]).toEqual([sentences, true])
  })
})

describe('a flag that is duplicated', () => {
  const rules = [{ conditions: [], percentage: 20, description: '', isLast: false }]

  test('has everything of the original, is off, and begins its own history', async () => {
    const { product, id, make } = await setUp()
    requireDone(await product.flags.environments.create(id, { name: 'staging' }, you))
    const setting = { isOn: true, conditions: rules }
    const more = {
      ...twoVariants,
      description: 'The new one',
      tags: ['pay'],
      owner: 'Ben',
      payloads: { a: '1' },
      contexts: ['web'],
      environments: { production: setting, staging: setting },
    }
    const original = await make('checkout', more)
    const copy = requireDone(await product.flags.duplicate(id, 'checkout', { key: 'checkout-2' }, you)).flag

    const off = { ...original.environments['production'], isOn: false }
    expect(copy).toEqual({
      ...original,
      id: copy.id,
      key: 'checkout-2',
      environments: { production: off, staging: off },
    })
    expect(copy.id).not.toBe(original.id)
    expect(await product.flags.find(id, 'checkout', you)).toEqual(original)
    expect(await product.flags.history(id, 'checkout-2', you)).toMatchObject([
      { version: 1, note: 'Copy of checkout.' },
    ])
    const [latest] = await product.projects.audit.list(id, {}, you)
    expect(latest).toMatchObject({ action: 'flag.create', subject: 'checkout-2' })
  })

  test('leaves the slice of a layer to the original', async () => {
    const { product, id, make } = await setUp()
    const { layer } = requireDone(await product.flags.layers.create(id, { name: 'Checkout' }, you))
    const slice = { id: layer.id, from: 0, until: 100 }
    await make('checkout', { environments: { production: { isOn: true, conditions: rules, layer: slice } } })
    const copy = requireDone(await product.flags.duplicate(id, 'checkout', { key: 'checkout-2' }, you)).flag

    expect(copy.environments['production']).toMatchObject({ isOn: false, conditions: rules })
    expect(copy.environments['production']?.layer).toBeUndefined()
  })

  test('is refused in words', async () => {
    const { product, id, make } = await setUp()
    await make('checkout')
    await make('old')
    requireDone(await product.flags.archive(id, 'old', you, { anyway: true }))
    const refused = async (key: string, input: unknown) =>
      problemMessages(await product.flags.duplicate(id, key, input, you))

    expect(await refused('checkout', { key: 'no good' })).toEqual([
      'A flag’s key has 1 to 200 letters, digits, dots, dashes and underscores.',
    ])
    expect(await refused('checkout', { key: 'checkout' })).toEqual([
      'There is a flag “checkout” already. Choose another key.',
    ])
    expect(await refused('old', { key: 'new' })).toEqual(['The flag is archived. Restore it first.'])
    expect(await refused('none', { key: 'new' })).toEqual(['There is no such flag in this project.'])
  })
})

describe('a setting that is copied to another environment', () => {
  const rules = [{ conditions: [], percentage: 20, description: '', isLast: false }]

  test('replaces the one there, as a version that can be taken back', async () => {
    const { product, id, make } = await setUp()
    requireDone(await product.flags.environments.create(id, { name: 'staging' }, you))
    const made = await make('checkout', { environments: { staging: { isOn: true, conditions: rules } } })
    const copied = requireDone(
      await product.flags.copySetting(id, 'checkout', { from: 'staging', to: 'production', version: 1 }, you),
    ).flag

    expect(copied.environments['production']).toEqual(made.environments['staging'])
    expect(copied.environments['staging']).toEqual(made.environments['staging'])
    expect(await product.flags.history(id, 'checkout', you)).toMatchObject([
      { version: 2, note: 'Copied from staging to production.' },
      { version: 1 },
    ])
    const back = requireDone(await product.flags.revert(id, 'checkout', 1, you)).flag
    expect(back.environments).toEqual(made.environments)
  })

  test('is off without rules where it was never set up', async () => {
    const { product, id, make } = await setUp()
    requireDone(await product.flags.environments.create(id, { name: 'staging' }, you))
    await make('checkout', { environments: { production: { isOn: true, conditions: rules } } })
    const input = { from: 'staging', to: 'production' }
    const { environments } = requireDone(await product.flags.copySetting(id, 'checkout', input, you)).flag

    expect(environments['production']).toMatchObject({ isOn: false, conditions: [] })
  })

  test.each([
    [{ from: 'gone', to: 'production' }, 'There is no environment “gone” in this project.'],
    [{ from: 'production', to: 'gone' }, 'There is no environment “gone” in this project. Make it first.'],
    [{ from: 'production', to: 'production' }, 'Choose another environment to copy to.'],
    [
      { from: 'production', to: 'staging', version: 7 },
      '“checkout” was changed by Ana at 10:00 UTC on 2026-03-02. Load it again, then repeat your change.',
    ],
  ])('is refused in words: %j', async (input, sentence) => {
    const { product, id, make } = await setUp()
    requireDone(await product.flags.environments.create(id, { name: 'staging' }, you))
    await make('checkout', { environments: { production: { isOn: true, conditions: rules } } })

    expect(problemMessages(await product.flags.copySetting(id, 'checkout', input, you))).toEqual([sentence])
  })
})

describe('a secret configuration', () => {
  const secret = { kind: 'config', isSecret: true, servedTo: 'servers', payloads: { true: '"hush-hush"' } }
  const masked = expect.stringMatching(/^"\*{9} \(encrypted, [0-9a-f]{6}\)"$/)

  test('is shown only to members who may see keys', async () => {
    const { product, id, make, aMember, signedIn } = await setUp()
    const editor = await signedIn(await aMember({ role: 'editor' }))
    const made = await make('api', secret)

    expect(made.payloads).toEqual({ true: masked })
    expect(await product.flags.find(id, 'api', editor)).toEqual(made)
    await expect(product.flags.reveal(id, 'api', editor)).rejects.toThrow('You may not do this')
    expect(requireDone(await product.flags.reveal(id, 'api', you)).values).toEqual({
      payloads: { true: '"hush-hush"' },
      environments: {},
    })
  })

  test('is nowhere in the data folder as it is, not in its history, not in the log', async () => {
    const { product, id, make, folder } = await setUp()
    requireDone(await product.flags.environments.create(id, { name: 'staging' }, you))
    await make('api', { ...secret, environments: { staging: { payloads: { true: '"psst-psst"' } } } })
    requireDone(await product.flags.change(id, 'api', { payloads: { true: '"hush-again"' } }, you))
    requireDone(await product.flags.reveal(id, 'api', you))
    const kept = ['store.db', 'store.db-wal', sealFile].map((name) => readFileSync(join(folder, name)))

    expect(kept.filter((file) => /hush-|psst-/.test(file.toString('latin1')))).toEqual([])
    const told = [await product.flags.history(id, 'api', you), await product.projects.audit.list(id, {}, you)]
    expect(JSON.stringify(told)).not.toMatch(/hush-|psst-|sealed1/)
  })

  test('is not in the explanation of a flag that asks for it', async () => {
    const { product, id, make } = await setUp()
    await make('api', { ...secret, environments: { production: { isOn: true } } })
    await make('checkout', asking({ type: 'flag', flag: 'api', value: true }))

    for (const key of ['api', 'checkout']) {
      const explained = requireDone(await product.flags.explain(id, key, { distinctId: 'ana' }, you))
      expect(explained.explanation.decision.value).toBe(true)
      expect(JSON.stringify(explained)).not.toMatch(/hush-|sealed1/)
    }
  })

  test('cannot be a mask from the start', async () => {
    const { product, id, make } = await setUp()
    const { payloads } = await make('api', secret)

    expect(
      problemMessages(await product.flags.create(id, { ...secret, key: 'copy', payloads }, you)),
    ).toEqual(['Give the secret value itself: what is shown of it is only a mask.'])
  })

  test('stays as it was when its mask comes back, in any environment', async () => {
    const { product, id, make } = await setUp()
    requireDone(await product.flags.environments.create(id, { name: 'staging' }, you))
    const environments = { staging: { isOn: true, payloads: { true: '"psst"' } } }
    const made = await make('api', { ...secret, environments })
    const change = { owner: 'Ben', payloads: made.payloads, environments: made.environments }
    requireDone(await product.flags.change(id, 'api', change, you))

    expect(requireDone(await product.flags.reveal(id, 'api', you)).values).toEqual({
      payloads: { true: '"hush-hush"' },
      environments: { staging: { true: '"psst"' } },
    })
  })

  test('comes back with an old version', async () => {
    const { product, id, make } = await setUp()
    await make('api', secret)
    requireDone(await product.flags.change(id, 'api', { payloads: { true: '"other"' } }, you))
    requireDone(await product.flags.revert(id, 'api', 1, you))

    expect(requireDone(await product.flags.reveal(id, 'api', you)).values.payloads).toEqual({
      true: '"hush-hush"',
    })
  })

  test('that changed is another one in the history, without saying how', async () => {
    const { product, id, make } = await setUp()
    await make('api', secret)
    requireDone(await product.flags.change(id, 'api', { payloads: { true: '"other"' } }, you))
    const [now, before] = await product.flags.history(id, 'api', you)

    expect(present(now).flag.payloads).not.toEqual(present(before).flag.payloads)
  })

  test('is secret from the start, and stays so', async () => {
    const { product, id, make } = await setUp()
    await make('api', secret)
    await make('open', { ...secret, isSecret: false })
    const sentence = ['Whether a configuration is secret is said when it is made. Make another one.']

    expect(problemMessages(await product.flags.change(id, 'api', { isSecret: false }, you))).toEqual(sentence)
    expect(problemMessages(await product.flags.change(id, 'open', { isSecret: true }, you))).toEqual(sentence)
  })

  test('that is duplicated keeps its value, sealed for the copy, and in another environment', async () => {
    const { product, id, make } = await setUp()
    requireDone(await product.flags.environments.create(id, { name: 'staging' }, you))
    await make('api', { ...secret, environments: { staging: { isOn: true, payloads: { true: '"psst"' } } } })
    const copy = requireDone(await product.flags.duplicate(id, 'api', { key: 'api-2' }, you)).flag

    expect(copy.payloads).toEqual({ true: masked })
    expect(requireDone(await product.flags.reveal(id, 'api-2', you)).values).toEqual({
      payloads: { true: '"hush-hush"' },
      environments: { staging: { true: '"psst"' } },
    })
    requireDone(await product.flags.copySetting(id, 'api', { from: 'staging', to: 'production' }, you))
    expect(requireDone(await product.flags.reveal(id, 'api', you)).values.environments).toEqual({
      staging: { true: '"psst"' },
      production: { true: '"psst"' },
    })
  })

  test('sealed with a key that is lost can be entered again', async () => {
    const { product, id, make, folder, anotherProcess } = await setUp()
    await make('api', secret)
    const key = readFileSync(join(folder, sealFile), 'utf8').trim()
    const other = await anotherProcess()
    writeFileSync(join(folder, sealFile), Buffer.alloc(32, 1).toString('base64url'))

    expect(key).toHaveLength(43)
    expect(problemMessages(await other.flags.reveal(id, 'api', you))).toEqual([
      'It was encrypted with another key than the one in flags.key. Restore that file, or enter the values again.',
    ])
    requireDone(await other.flags.change(id, 'api', { payloads: { true: '"anew"' } }, you))
    expect(requireDone(await other.flags.reveal(id, 'api', you)).values.payloads).toEqual({ true: '"anew"' })
    expect(product.instance).not.toBe(other.instance)
  })
})

describe('PostHog’s words', () => {
  const posthogFlag = {
    key: 'new-cta',
    name: 'The new button',
    active: true,
    filters: {
      groups: [
        {
          properties: [{ key: 'plan', type: 'person', operator: 'exact', value: ['pro'] }],
          rollout_percentage: 25,
        },
      ],
      payloads: { true: '{"color":"blue"}' },
    },
  }

  test('neither make nor change a flag', async () => {
    const { product, id, make } = await setUp()
    await make('new-cta')
    const refusal = [
      'This is a flag in PostHog’s form. Import it (POST …/flags/import), or give it in Tilth’s form.',
    ]

    expect(problemMessages(await product.flags.create(id, { ...posthogFlag, key: 'other' }, you))).toEqual(
      refusal,
    )
    expect(problemMessages(await product.flags.change(id, 'new-cta', { active: false }, you))).toEqual(
      refusal,
    )
    expect(await product.flags.history(id, 'new-cta', you)).toHaveLength(1)
    expect(await product.flags.find(id, 'other', you)).toBeUndefined()
  })

  test('are imported as ours', async () => {
    const { product, id } = await setUp()
    requireDone(await product.flags.importFrom(id, posthogFlag, you))

    expect(await product.flags.find(id, 'new-cta', you)).toMatchObject({
      key: 'new-cta',
      description: 'The new button',
      payloads: { true: '{"color":"blue"}' },
      environments: {
        production: {
          isOn: true,
          conditions: [
            {
              percentage: 25,
              conditions: [{ type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }],
            },
          ],
        },
      },
    })
  })

  test('change only what they speak of', async () => {
    const { product, id } = await setUp()
    requireDone(await product.flags.importFrom(id, posthogFlag, you))
    const ours = {
      owner: 'Ben',
      earlyAccess: { name: 'The button', stage: 'alpha' },
      environments: { production: { payloads: { true: '"own"' } } },
    }
    const before = requireDone(await product.flags.change(id, 'new-cta', ours, you)).flag
    const { groups } = posthogFlag.filters
    requireDone(
      await product.flags.importFrom(
        id,
        { key: 'new-cta', active: false, filters: { groups, feature_enrollment: true } },
        you,
      ),
    )
    const setting = present(before.environments['production'])

    expect(await product.flags.find(id, 'new-cta', you)).toEqual({
      ...before,
      version: 3,
      environments: { production: { ...setting, isOn: false } },
    })
  })

  test('bring their holdout along', async () => {
    const { product, id } = await setUp()
    const filters = { ...posthogFlag.filters, holdout: { id: 12, exclusion_percentage: 7.5 } }
    requireDone(await product.flags.importFrom(id, { ...posthogFlag, filters }, you))
    const flag = await product.flags.find(id, 'new-cta', you)

    expect(flag?.environments['production']?.holdout).toEqual({ id: 12, percentage: 7.5 })
    expect(await product.flags.holdouts.list(id, you)).toMatchObject([
      { id: 12, name: 'Holdout 12', percentage: 7.5 },
    ])
  })

  test('are refused where a holdout is another one here, and leave nothing behind', async () => {
    const { product, id } = await setUp()
    requireDone(await product.flags.holdouts.create(id, { name: 'Spring', percentage: 5 }, you))
    const held = (holdout: number, more: object = {}) => ({
      ...posthogFlag,
      filters: { ...posthogFlag.filters, holdout: { id: holdout, exclusion_percentage: 7.5 }, ...more },
    })
    const ofNobody = { groups: [{ properties: [{ key: 'id', type: 'cohort', operator: 'in', value: 7 }] }] }

    expect(requireDone(await product.flags.importFrom(id, held(1), you)).refused).toEqual([
      { key: 'new-cta', problems: [{ message: 'Its holdout 1 holds out 5 percent here.' }] },
    ])
    expect(requireDone(await product.flags.importFrom(id, held(3, ofNobody), you)).refused).toHaveLength(1)
    expect(await product.flags.holdouts.list(id, you)).toMatchObject([{ id: 1, percentage: 5 }])
  })

  test.each<[string, (flags: object[]) => unknown]>([
    ['one flag', ([flag]) => flag],
    ['a list of flags', (flags) => flags],
    ['what their API answers', (results) => ({ count: 1, next: null, results })],
    ['what their SDKs are given', (flags) => ({ flags, group_type_mapping: {}, cohorts: {} })],
  ])('are imported from %s', async (_, wrapped) => {
    const { product, id } = await setUp()

    expect(requireDone(await product.flags.importFrom(id, wrapped([posthogFlag]), you))).toEqual({
      done: true,
      created: ['new-cta'],
      changed: [],
      refused: [],
      remarks: [],
    })
  })

  test.each([['nothing'], [{}], [[]], [{ results: [] }], [null], [3]])('are not in %j', async (json) => {
    const { product, id } = await setUp()

    expect(problemMessages(await product.flags.importFrom(id, json, you))).toEqual([
      'This holds no PostHog flags. Give what its API answers: a flag with "key" and "filters", a list of them, or {"results": […]}.',
    ])
  })

  const asked = (flag: string, value: unknown = true) => ({
    groups: [{ properties: [{ key: flag, type: 'flag', operator: 'flag_evaluates_to', value }] }],
  })

  test('are taken where they can be, whatever their order, and refused with what needs the refused', async () => {
    const { product, id, make } = await setUp()
    await make('here', { owner: 'Ben' })
    await make('away')
    requireDone(await product.flags.archive(id, 'away', you, { anyway: true }))
    const cohort = { key: 'id', type: 'cohort', operator: 'in', value: 7 }
    const flags = [
      { ...posthogFlag, key: 'third', filters: asked('second') },
      { ...posthogFlag, key: 'second', filters: asked('first') },
      { ...posthogFlag, key: 'first' },
      { ...posthogFlag, key: 'here' },
      { ...posthogFlag, key: 'away' },
      { ...posthogFlag, key: 'of-a-cohort', filters: { groups: [{ properties: [cohort] }] } },
      { ...posthogFlag, key: 'of-the-refused', filters: asked('of-a-cohort') },
      { ...posthogFlag, key: 'round', filters: asked('about') },
      { ...posthogFlag, key: 'about', filters: asked('round') },
      { ...posthogFlag, key: 'first' },
      { ...posthogFlag, key: 'no good!' },
    ]
    const { created, changed, refused } = requireDone(await product.flags.importFrom(id, flags, you))

    expect(created).toEqual(['third', 'second', 'first'])
    expect(changed).toEqual(['here'])
    expect(refused.map(({ key, problems }) => [key, problems.map(({ message }) => message)])).toEqual([
      ['first', ['It is there twice.']],
      ['no good!', ['A flag’s key has 1 to 200 letters, digits, dots, dashes and underscores.']],
      ['away', ['It is archived here. Restore it first.']],
      ['of-a-cohort', ['A condition asks for the cohort “7”, which this project does not have.']],
      [
        'round',
        ['Flags cannot depend on each other in a circle: round → about → round. Take one condition away.'],
      ],
      [
        'about',
        ['Flags cannot depend on each other in a circle: about → round → about. Take one condition away.'],
      ],
      [
        'of-the-refused',
        ['A condition asks about the flag “of-a-cohort”, which this project does not have.'],
      ],
    ])
    expect(await product.flags.find(id, 'here', you)).toMatchObject({
      owner: 'Ben',
      description: 'The new button',
    })
  })

  const email = (value: string) => ({ key: 'email', type: 'person', operator: 'regex', value })
  const lookingAhead = {
    ...posthogFlag,
    filters: {
      groups: [
        {
          properties: [email('a(?!b)'), { key: 'plan', type: 'person', operator: 'exact', value: ['pro'] }],
          rollout_percentage: 100,
        },
        { properties: [email('@acme'), email('?*')], rollout_percentage: 50 },
        { properties: [], rollout_percentage: 20 },
      ],
    },
  }

  test('come with that set off whose pattern is refused here, which is said', async () => {
    const { product, id } = await setUp()
    const outcome = requireDone(await product.flags.importFrom(id, lookingAhead, you))
    expect(outcome).toMatchObject({
      created: ['new-cta'],
      refused: [],
      remarks: [
        {
          key: 'new-cta',
          sentences: [
            expect.stringMatching(
              /^The pattern “a\(\?!b\)” for “email” is refused here: .*looks ahead.* is off\.$/,
            ),
            expect.stringMatching(/never matches/),
          ],
        },
      ],
    })
    expect(await product.flags.find(id, 'new-cta', you)).toMatchObject({
      environments: {
        production: {
          isOn: posthogFlag.active,
          conditions: [
            {
              percentage: 0,
              conditions: [{ key: 'plan' }],
              description: expect.stringContaining('a(?!b)') as string,
            },
            { percentage: 50, conditions: [{ value: '@acme' }, { value: '?*' }] },
            { percentage: 20, conditions: [] },
          ],
        },
      },
    })
    expect(requireDone(await product.flags.importFrom(id, lookingAhead, you))).toMatchObject({
      created: [],
      changed: [],
    })
  })

  test('that are decided in turn are off where a pattern is refused: others would get in', async () => {
    const { product, id } = await setUp()
    const inTurn = { ...lookingAhead, filters: { ...lookingAhead.filters, early_exit: true } }
    const outcome = requireDone(await product.flags.importFrom(id, inTurn, you))
    expect(outcome.remarks[0]?.sentences).toContain('The flag is off, because its sets are decided in turn.')
    expect((await product.flags.find(id, 'new-cta', you))?.environments['production']?.isOn).toBe(false)
  })

  test('imported once more change nothing', async () => {
    const { product, id } = await setUp()
    requireDone(await product.flags.importFrom(id, [posthogFlag], you))

    expect(requireDone(await product.flags.importFrom(id, [posthogFlag], you))).toEqual({
      done: true,
      created: [],
      changed: [],
      refused: [],
      remarks: [],
    })
    expect(await product.flags.history(id, 'new-cta', you)).toHaveLength(1)
  })

  test('imported for another environment leave the others as they are', async () => {
    const { product, id } = await setUp()
    requireDone(await product.flags.environments.create(id, { name: 'staging' }, you))
    requireDone(await product.flags.importFrom(id, posthogFlag, you))
    const inStaging = {
      ...posthogFlag,
      name: 'Another name',
      filters: { groups: [{ properties: [], rollout_percentage: 100 }], payloads: { true: '"red"' } },
    }
    requireDone(await product.flags.importFrom(id, inStaging, you, { environment: 'staging' }))

    expect(await product.flags.find(id, 'new-cta', you)).toMatchObject({
      description: 'The new button',
      payloads: { true: '{"color":"blue"}' },
      environments: {
        production: { conditions: [{ percentage: 25 }], payloads: {} },
        staging: { conditions: [{ percentage: 100 }], payloads: { true: '"red"' } },
      },
    })
  })

  test('by the thousand are imported within seconds', async () => {
    const { product, id } = await setUp()
    const flags = Array.from({ length: 10_001 }, (_, place) => ({
      ...posthogFlag,
      key: `flag-${place}`,
      filters: place % 100 === 0 ? posthogFlag.filters : asked(`flag-${place - 1}`),
    }))
    const { created, refused } = requireDone(await product.flags.importFrom(id, flags, you))

    expect([created.length, refused]).toEqual([
      10_000,
      [
        {
          key: 'flag-10000',
          problems: [
            { message: 'A project has at most 10,000 flags. Archive what no code asks for any more.' },
          ],
        },
      ],
    ])
  })
})

test('an explanation comes from the rules that decide', async () => {
  const { product, id, make } = await setUp()
  await make('checkout', asking({ type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }))
  const ask = async (personProperties: object) =>
    requireDone(await product.flags.explain(id, 'checkout', { distinctId: 'ana', personProperties }, you))
      .explanation.decision

  expect(await ask({ plan: 'pro' })).toMatchObject({ value: true, reason: { code: 'condition_match' } })
  expect(await ask({ plan: 'free' })).toMatchObject({ value: false, reason: { code: 'no_condition_match' } })
  expect(problemMessages(await product.flags.explain(id, 'none', { distinctId: 'ana' }, you))).toEqual([
    'There is no such flag in this project.',
  ])
  expect(problemMessages(await product.flags.explain(id, 'checkout', {}, you))).toEqual([
    'Give the visitor’s distinct id.',
  ])
})
