import { describe, expect, test } from 'vitest'
import { openTestProduct, requireDone, problemMessages, present } from '#test/product/fixture'
import { operator } from '#projects/access'

const you = operator('Ana')

async function setUp() {
  const fixture = await openTestProduct()
  const acme = await fixture.aProject({ name: 'Acme' })
  const other = await fixture.aProject({ name: 'Other' })
  return { ...fixture, acme, other, environments: fixture.product.flags.environments }
}

describe('the name of an environment', () => {
  test.each([
    ['production', '"production" is there already: its write key is the project’s own.'],
    ['Staging', 'Use 1 to 40 lower-case letters, digits and dashes; begin and end with a letter or digit.'],
    ['', 'Use 1 to 40 lower-case letters, digits and dashes; begin and end with a letter or digit.'],
    ['__proto__', 'Use 1 to 40 lower-case letters, digits and dashes; begin and end with a letter or digit.'],
    ['taken', 'There is an environment “taken” already. Choose another name.'],
  ])('is not "%s"', async (name, sentence) => {
    const { environments, acme } = await setUp()
    requireDone(await environments.create(acme.id, { name: 'taken' }, you))

    expect(problemMessages(await environments.create(acme.id, { name }, you))).toEqual([sentence])
  })

  test('may be another project’s, too', async () => {
    const { environments, acme, other } = await setUp()
    requireDone(await environments.create(acme.id, { name: 'staging' }, you))

    expect((await environments.create(other.id, { name: 'staging' }, you)).done).toBe(true)
  })
})

describe('the write key of an environment', () => {
  const isTaken = ['A project or an environment is known by this write key already.']

  test('is unique: not a project’s, not an alias, not another environment’s', async () => {
    const { product, environments, acme, other } = await setUp()
    requireDone(await product.projects.change(other.id, { aliases: ['old-token'] }, you))
    requireDone(await environments.create(other.id, { name: 'staging', writeKey: 'phc_of_staging' }, you))
    const tried = [acme.writeKey, other.writeKey, 'old-token', 'phc_of_staging']
    const answers = await Promise.all(
      tried.map((writeKey) => environments.create(acme.id, { name: 'mine', writeKey }, you)),
    )

    expect(answers.map(problemMessages)).toEqual(tried.map(() => isTaken))
  })

  test('cannot be taken by a project as a name of its own', async () => {
    const { product, environments, acme, other } = await setUp()
    const { environment } = requireDone(await environments.create(other.id, { name: 'staging' }, you))

    expect(
      problemMessages(await product.projects.change(acme.id, { aliases: [environment.writeKey] }, you)),
    ).toEqual(['Another project or environment already has one of these aliases. Remove it there first.'])
  })

  test('opens nothing while its project is archived', async () => {
    const { product, environments, other } = await setUp()
    const { environment } = requireDone(await environments.create(other.id, { name: 'staging' }, you))
    requireDone(await product.projects.archive(other.id, you))
    expect(environments.environmentNamed(environment.writeKey)).toBeUndefined()
    requireDone(await product.projects.restore(other.id, you))

    expect(environments.environmentNamed(environment.writeKey)).toEqual(environment)
  })
})

test('the main one is neither renewed nor removed here', async () => {
  const { environments, acme } = await setUp()
  const sentence =
    '“production” is the project itself: its key is renewed in the project’s settings, and it stays.'

  expect(problemMessages(await environments.renewKey(acme.id, 'production', you))).toEqual([sentence])
  expect(problemMessages(await environments.remove(acme.id, 'production', you))).toEqual([sentence])
})

test('a removed environment takes along what was planned there, and nothing else', async () => {
  const { product, environments, acme } = await setUp()
  requireDone(await environments.create(acme.id, { name: 'staging' }, you))
  const on = { isOn: true, conditions: [{ percentage: 10 }] }
  requireDone(
    await product.flags.create(acme.id, { key: 'one', environments: { staging: on, production: on } }, you),
  )
  requireDone(await product.flags.create(acme.id, { key: 'two', environments: { production: on } }, you))
  for (const environment of ['staging', 'production']) {
    const steps = [{ at: '2026-04-01T10:00', isOn: false }]
    requireDone(await product.flags.schedules.create(acme.id, 'one', { environment, steps }, you))
  }
  requireDone(await environments.remove(acme.id, 'staging', you))

  const flags = await product.flags.list(acme.id, you)
  expect(flags.map(({ key, version, environments: set }) => [key, version, Object.keys(set)])).toEqual([
    ['one', 2, ['production']],
    ['two', 1, ['production']],
  ])
  expect((await product.flags.schedules.list(acme.id, you)).map(({ environment }) => environment)).toEqual([
    'production',
  ])
})

test('what a flag was in an environment that is gone is left out when it is restored', async () => {
  const { product, environments, acme } = await setUp()
  requireDone(await environments.create(acme.id, { name: 'staging' }, you))
  const on = { isOn: true, conditions: [{ percentage: 10 }] }
  requireDone(
    await product.flags.create(acme.id, { key: 'one', environments: { staging: on, production: on } }, you),
  )
  requireDone(await environments.remove(acme.id, 'staging', you))
  requireDone(await product.flags.turn(acme.id, 'one', { isOn: false }, you))
  const { flag } = requireDone(await product.flags.revert(acme.id, 'one', 1, you))

  expect(Object.keys(flag.environments)).toEqual(['production'])
  expect(present(flag.environments['production']).isOn).toBe(true)
})
