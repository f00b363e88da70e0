import { describe, expect, test } from 'vitest'
import {
  openTestProduct,
  requireDone,
  type TestProduct,
  problemMessages,
  password,
  present,
  testOrigin,
} from '#test/product/fixture'
import { localOrigin, operator } from '../access'
import type { SetupProvision } from './setup'

const notTheCode =
  'This is not the code. It stands in the terminal where Tilth was started; after an hour, start Tilth again for a new one.'
const setUpAlready = 'Tilth has been set up already. Sign in instead.'

const form = { email: 'ana@acme.example', name: 'Ana Berg', password, project: 'Acme' }

async function owners({ product }: TestProduct): Promise<string[]> {
  const all = product.projects.list(operator()).map(({ id }) => product.projects.members.list(id, operator()))
  const memberships = (await Promise.all(all)).flat()
  return memberships.filter(({ role }) => role === 'owner').map(({ member }) => member.email)
}

describe('set-up with the code', () => {
  test('makes the first owner and the first project, and is over', async () => {
    const fixture = await openTestProduct()
    const { product, world } = fixture
    expect(await product.signIn.setup.isNeeded()).toBe(true)
    const code = await product.signIn.setup.newCode()
    const { member, project } = requireDone(
      await product.signIn.setup.complete({ ...form, code, timeZone: 'europe/berlin' }, testOrigin),
    )

    expect(member).toEqual({
      id: expect.any(String),
      email: form.email,
      name: form.name,
      createdAt: world.now(),
    })
    expect(project).toMatchObject({ id: 1, name: 'Acme', slug: 'acme', timeZone: 'Europe/Berlin' })
    expect(await product.signIn.setup.isNeeded()).toBe(false)
    expect(await owners(fixture)).toEqual([form.email])
    requireDone(await product.signIn.signIn({ email: form.email, password }, testOrigin))
  })

  test.each<[what: string, provision: SetupProvision]>([
    ['a new first project', {}],
    ['a project of the environment', { project: 'Acme' }],
  ])('keeps the address of the site with %s', async (_what, provision) => {
    const { product } = await openTestProduct()
    requireDone(await product.signIn.setup.provision(provision, localOrigin))
    const code = await product.signIn.setup.newCode()
    const complete = (siteAddress: string) =>
      product.signIn.setup.complete({ ...form, code, siteAddress }, testOrigin)

    expect(await complete('ftp://acme.example')).toEqual({
      done: false,
      problems: [{ field: 'siteAddress', message: 'The address of a site begins with https:// or http://.' }],
    })
    const { project } = requireDone(await complete('acme.example'))
    expect(product.projects.numbered(project.id)).toMatchObject({
      siteAddress: 'https://acme.example/',
      hosts: [],
    })
    expect(product.projects.isClaimed('acme.example')).toBe(false)
  })

  test.each<[string, (code: string) => string]>([
    ['as printed', (code) => code],
    ['in small letters', (code) => code.toLowerCase()],
    ['without dashes', (code) => code.replaceAll('-', '')],
    ['with spaces', (code) => ` ${code.replaceAll('-', ' ')} `],
  ])('takes the code %s', async (_, typed) => {
    const { product } = await openTestProduct()
    const code = await product.signIn.setup.newCode()

    expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/)
    requireDone(await product.signIn.setup.complete({ ...form, code: typed(code) }, testOrigin))
  })

  test.each<[string, (code: string) => unknown, string]>([
    ['another', (code) => code.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), notTheCode],
    ['none', () => '', notTheCode],
    ['dashes alone', () => '----', notTheCode],
    ['half of it', (code) => code.slice(0, 6), notTheCode],
    ['a number', () => 7, 'Type the set-up code.'],
    ['what is left out', () => undefined, 'Type the set-up code.'],
  ])('does not take %s for the code', async (_, typed, message) => {
    const { product } = await openTestProduct()
    const code = await product.signIn.setup.newCode()

    expect(await product.signIn.setup.complete({ ...form, code: typed(code) }, testOrigin)).toEqual({
      done: false,
      problems: [{ field: 'code', message }],
    })
    expect(await product.signIn.setup.isNeeded()).toBe(true)
  })

  test('takes the code for an hour', async () => {
    const { product, world } = await openTestProduct()
    const code = await product.signIn.setup.newCode()
    world.advance('1 hour')

    expect(problemMessages(await product.signIn.setup.complete({ ...form, code }, testOrigin))).toEqual([
      notTheCode,
    ])
  })

  test('takes a code until its own hour is over, whatever another start has printed since', async () => {
    const { product, world } = await openTestProduct()
    const first = await product.signIn.setup.newCode()
    world.advance('59 minutes')
    const second = await product.signIn.setup.newCode()
    world.advance('2 minutes')

    expect(
      problemMessages(await product.signIn.setup.complete({ ...form, code: first }, testOrigin)),
    ).toEqual([notTheCode])
    requireDone(await product.signIn.setup.complete({ ...form, code: second }, testOrigin))
  })

  test('cannot be done twice', async () => {
    const { product } = await openTestProduct()
    const code = await product.signIn.setup.newCode()
    requireDone(await product.signIn.setup.complete({ ...form, code }, testOrigin))

    const again = { ...form, email: 'ben@acme.example', code }
    expect(problemMessages(await product.signIn.setup.complete(again, testOrigin))).toEqual([setUpAlready])
    const newer = await product.signIn.setup.newCode()
    expect(
      problemMessages(await product.signIn.setup.complete({ ...again, code: newer }, testOrigin)),
    ).toEqual([setUpAlready])
  })

  test('makes one owner when it is completed several times at once, from two processes', async () => {
    const fixture = await openTestProduct()
    const other = await fixture.anotherProcess()
    const code = await fixture.product.signIn.setup.newCode()
    const completing = [fixture.product, other, fixture.product, other].map((product, person) =>
      product.signIn.setup.complete({ ...form, email: `person-${person}@acme.example`, code }, testOrigin),
    )
    const outcomes = await Promise.all(completing)

    expect(outcomes.filter((outcome) => outcome.done)).toHaveLength(1)
    expect(outcomes.filter((outcome) => !outcome.done).flatMap(problemMessages)).toEqual(
      Array(3).fill(setUpAlready),
    )
    expect(await owners(fixture)).toHaveLength(1)
    expect(fixture.product.projects.list(operator())).toHaveLength(1)
  })

  test('leaves the code usable when something else in the form was wrong', async () => {
    const { product } = await openTestProduct()
    const code = await product.signIn.setup.newCode()

    expect(
      await product.signIn.setup.complete({ ...form, code, password: 'Acme-Acme-2026' }, testOrigin),
    ).toMatchObject({
      problems: [{ field: 'password' }],
    })
    expect(
      await product.signIn.setup.complete({ ...form, code, timeZone: 'Mars/Olympus' }, testOrigin),
    ).toMatchObject({
      problems: [{ field: 'timeZone' }],
    })
    requireDone(await product.signIn.setup.complete({ ...form, code }, testOrigin))
  })

  test('slows down guesses, and lets the owner in all the same', async () => {
    const { product, world } = await openTestProduct()
    const code = await product.signIn.setup.newCode()
    const guess = (typed: string) => product.signIn.setup.complete({ ...form, code: typed }, testOrigin)
    for (let time = 0; time < 5; time++)
      expect(problemMessages(await guess('AAAA-AAAA-AAAA'))).toEqual([notTheCode])

    expect(problemMessages(await guess(code))).toEqual(['Too many wrong codes. Wait 1 second and try again.'])
    world.advance('1 second')
    requireDone(await guess(code))
  })
})

describe('set-up from the environment', () => {
  const whole: SetupProvision = {
    owner: { email: 'Ana@Acme.example', password },
    project: 'Acme',
    writeKey: 'phc_of_our_own',
    secretKey: 'a-secret-of-our-own-choosing',
  }

  test('makes owner, project and both keys without a person', async () => {
    const fixture = await openTestProduct()
    const { product } = fixture
    requireDone(await product.signIn.setup.provision(whole, localOrigin))

    expect(await product.signIn.setup.isNeeded()).toBe(false)
    expect(await owners(fixture)).toEqual(['ana@acme.example'])
    expect(product.projects.named('phc_of_our_own')).toMatchObject({ name: 'Acme', slug: 'acme' })
    const viewer = present(await product.projects.keys.viewer('a-secret-of-our-own-choosing', testOrigin))
    expect(viewer).toMatchObject({ name: 'From the environment', projectId: 1 })
    expect((await product.projects.audit.list(1, {}, viewer)).length).toBeGreaterThan(0)
    requireDone(await product.signIn.signIn({ email: 'ana@acme.example', password }, testOrigin))
  })

  test('does nothing the second time, nor the tenth', async () => {
    const fixture = await openTestProduct()
    const state = () =>
      fixture.database((file) =>
        ['projects', 'members', 'memberships', 'secret_keys', 'audit'].map((table) =>
          file.prepare(`select * from ${table}`).all(),
        ),
      )
    requireDone(await fixture.product.signIn.setup.provision(whole, localOrigin))
    const first = state()
    for (let start = 0; start < 9; start++)
      requireDone(await fixture.product.signIn.setup.provision(whole, localOrigin))

    expect(state()).toEqual(first)
  })

  test('adds what a later environment names and the first did not', async () => {
    const { product } = await openTestProduct()
    requireDone(
      await product.signIn.setup.provision({ project: 'Acme', writeKey: 'phc_of_our_own' }, localOrigin),
    )
    expect(await product.signIn.setup.isNeeded()).toBe(true)
    requireDone(await product.signIn.setup.provision(whole, localOrigin))

    expect(product.projects.list(operator()).map(({ name }) => name)).toEqual(['Acme'])
    expect(await product.projects.members.list(1, operator())).toHaveLength(1)
    expect(await product.projects.keys.viewer('a-secret-of-our-own-choosing', testOrigin)).toBeDefined()
  })

  test('leaves alone what people made since', async () => {
    const { product, aMember, signedIn } = await openTestProduct()
    requireDone(await product.signIn.setup.provision(whole, localOrigin))
    const owner = await signedIn(await aMember({ role: 'owner', name: 'Ben Cole' }))
    const [key] = await product.projects.keys.list(1, owner)
    requireDone(await product.projects.change(1, { name: 'Renamed' }, owner))
    requireDone(await product.projects.renewWriteKey(1, owner))
    requireDone(await product.projects.keys.revoke(1, present(key).id, owner))
    requireDone(await product.signIn.setup.provision(whole, localOrigin))

    expect(product.projects.list(owner).map(({ name }) => name)).toEqual(['Renamed'])
    expect(product.projects.named('phc_of_our_own')).toBeUndefined()
    expect(await product.projects.keys.viewer('a-secret-of-our-own-choosing', testOrigin)).toBeUndefined()
  })

  test('makes the printed code worthless', async () => {
    const { product } = await openTestProduct()
    const code = await product.signIn.setup.newCode()
    requireDone(
      await product.signIn.setup.provision({ owner: { email: 'ana@acme.example', password } }, localOrigin),
    )

    expect(problemMessages(await product.signIn.setup.complete({ ...form, code }, testOrigin))).toEqual([
      setUpAlready,
    ])
  })

  test.each<[string, SetupProvision, string]>([
    [
      'a weak password',
      { owner: { email: 'ana@acme.example', password: 'acmeacmeacme1' }, project: 'Acme' },
      'lists that attackers try first',
    ],
    [
      'a short password',
      { owner: { email: 'ana@acme.example', password: 'short' } },
      'at least 12 characters',
    ],
    [
      'the project’s name as password',
      { owner: { email: 'ana@b.example', password: 'Gardenworld-1' }, project: 'Garden World' },
      'your name, address or project',
    ],
    ['no address', { owner: { email: 'ana', password } }, 'does not look like an e-mail address'],
  ])('with %s is refused in words and makes nothing', async (_, provision, words) => {
    const { product } = await openTestProduct()

    expect(problemMessages(await product.signIn.setup.provision(provision, localOrigin)).join()).toContain(
      words,
    )
    expect(await product.signIn.setup.isNeeded()).toBe(true)
    expect(product.projects.list(operator())).toEqual([])
  })

  test('makes everything once when two processes start at once', async () => {
    const fixture = await openTestProduct()
    const other = await fixture.anotherProcess()
    const outcomes = await Promise.allSettled([
      fixture.product.signIn.setup.provision(whole, localOrigin),
      other.signIn.setup.provision(whole, localOrigin),
    ])

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(fixture.product.projects.list(operator())).toHaveLength(1)
    expect(await fixture.product.projects.keys.list(1, operator())).toHaveLength(1)
    expect(await owners(fixture)).toEqual(['ana@acme.example'])
  })
})
