import { expect, test } from 'vitest'
import { openTestProduct } from '#test/product/fixture'
import { operator } from '#projects/access'
import { importTranslated } from './import-translated'
import { readLaunchDarkly } from './internal/launchdarkly'

const ana = operator('Ana')

const flag = (key: string, setting: object) => ({
  key,
  name: key,
  tags: ['web'],
  variations: [{ value: true }, { value: false }],
  environments: { production: { on: true, offVariation: 1, fallthrough: { variation: 0 }, ...setting } },
})
const requires = (key: string) => ({ prerequisites: [{ key, variation: 0 }] })
const rule = (op: string, value: string) => ({
  rules: [{ clauses: [{ attribute: 'plan', op, values: [value] }], variation: 0 }],
  fallthrough: { variation: 1 },
})

test('flags are created after those that they require, and off where a rule has no counterpart', async () => {
  const { product, aProject } = await openTestProduct()
  const { id } = await aProject()
  const { flags } = product
  const translated = readLaunchDarkly(
    [
      flag('needs-plain', requires('plain')),
      flag('plain', rule('in', 'pro')),
      flag('dated', rule('before', '2020-01-01')),
      flag('needs-dated', requires('dated')),
      flag('looks-ahead', rule('matches', '(?=a)')),
      flag('needs-looks-ahead', requires('looks-ahead')),
    ],
    'production',
  )
  const report = await importTranslated(flags, id, translated, ana)
  expect(report).toMatchObject({ created: ['plain', 'needs-plain'], refused: [], existing: [] })
  expect(report.off.map(({ key }) => key).toSorted()).toEqual([
    'dated',
    'looks-ahead',
    'needs-dated',
    'needs-looks-ahead',
  ])
  const all = await flags.list(id, ana)
  const named = (key: string) => all.find((one) => one.key === key)
  expect(named('plain')?.environments['production']).toMatchObject({
    isOn: true,
    conditions: [{ conditions: [{ key: 'plan', operator: 'regex', value: '^(?:pro)$' }] }, { percentage: 0 }],
  })
  expect(named('dated')).toMatchObject({
    description: 'dated Imported without its rules: it uses the operator “before”.',
    environments: { production: { isOn: false, conditions: [] } },
  })
  expect(named('needs-dated')?.environments['production']?.isOn).toBe(false)

  const second = await importTranslated(flags, id, translated, ana)
  expect(second).toMatchObject({ created: [], off: [], refused: [] })
  expect(await flags.list(id, ana)).toEqual(all)
})

test('what is no key is refused', async () => {
  const { product, aProject } = await openTestProduct()
  const { id } = await aProject()
  const report = await importTranslated(
    product.flags,
    id,
    readLaunchDarkly([flag('a b', {})], 'production'),
    ana,
  )
  expect(report).toMatchObject({ created: [], refused: [{ key: 'a b' }] })
})
