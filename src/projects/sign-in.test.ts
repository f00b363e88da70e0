import { hash } from '@node-rs/argon2'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  openTestProduct,
  requireDone,
  type TestProduct,
  requireSignedIn,
  problemMessages,
  password,
  present,
  testOrigin,
} from '#test/product/fixture'
import { openStore } from '#store/open'
import type { RequestOrigin } from './access'
import type { Member } from './members'
import { SignIn } from './sign-in'

const wrongWords = 'The address or the password is wrong.'
/** The second factors, neither of which is asked for after a wrong password. */
const nothing = { useCode: async () => undefined, verify: async () => undefined }
const from = (address: string): RequestOrigin => ({ ...testOrigin, address })

async function aSignIn(): Promise<TestProduct & { ana: Member; guess: Guess }> {
  const fixture = await openTestProduct()
  await fixture.aProject()
  const ana = await fixture.aMember()
  const guess: Guess = (wanted = {}) =>
    fixture.product.signIn.signIn(
      { email: wanted.email ?? ana.email, password: wanted.password ?? 'a wrong one' },
      from(wanted.address ?? testOrigin.address),
    )
  return { ...fixture, ana, guess }
}

type Guess = (wanted?: {
  email?: string
  password?: string
  address?: string
}) => ReturnType<SignIn['signIn']>

describe('the right password', () => {
  test.each([['as it was given'], ['with another case and spaces around the address']])(
    '%s opens the door',
    async (how) => {
      const { product, ana, guess } = await aSignIn()
      const email = how.startsWith('with') ? `  ${ana.email.toUpperCase()} ` : ana.email
      const { token } = requireSignedIn(await guess({ email, password }))

      expect(present(await product.signIn.sessions.viewer(token, testOrigin)).memberId).toBe(ana.id)
    },
  )

  test('is hashed again when the hash is of an older strength', async () => {
    const { guess, database } = await aSignIn()
    const weaker = await hash(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    database((file) => file.prepare('update members set password_hash = ?').run(weaker))
    const kept = () =>
      String(database((file) => file.prepare('select password_hash from members').get())?.['password_hash'])
    requireDone(await guess({ password }))
    const strengthened = kept()
    requireDone(await guess({ password }))

    expect(strengthened).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(kept()).toBe(strengthened)
  })
})

describe('a wrong one', () => {
  test.each<[string, { email?: string; password?: string }]>([
    ['for a member', {}],
    ['for nobody', { email: 'nobody@acme.example' }],
    ['that begins like the right one', { password: password.slice(0, -1) }],
    ['that ends in a space too many', { password: `${password} ` }],
    ['in capital letters', { password: password.toUpperCase() }],
    ['of a hundred thousand letters', { password: 'x'.repeat(100_000) }],
    ['with a NUL in it', { password: `${password}\0` }],
  ])('%s is answered in the same words', async (_, wanted) => {
    const { guess } = await aSignIn()

    expect(await guess(wanted)).toEqual({
      done: false,
      problems: [{ message: wrongWords, field: undefined }],
    })
  })

  test.each<[object, string[]]>([
    [{}, ['Give an e-mail address.', 'Give your password.']],
    [
      { email: 'ana', password: '' },
      ['This does not look like an e-mail address, such as ana@example.com.', 'Give your password.'],
    ],
    [
      { email: ['ana@acme.example'], password: { length: 20 } },
      ['Give an e-mail address.', 'Give your password.'],
    ],
  ])('is not even tried with %j', async (input, words) => {
    const { product } = await aSignIn()

    expect(problemMessages(await product.signIn.signIn(input, testOrigin))).toEqual(words)
  })

  test('costs the same work for a member as for an unknown address', async () => {
    const { ana, folder, world } = await aSignIn()
    const store = await openStore({ folder })
    onTestFinished(() => store.close())
    const transactions = vi.spyOn(store, 'transaction')
    const statements = vi.spyOn(store, 'tables')
    const signIn = new SignIn({ store, world, digest: (text) => text, factors: nothing, passkeys: nothing })
    const workFor = async (email: string) => {
      transactions.mockClear()
      statements.mockClear()
      await signIn.signIn({ email, password: 'a wrong one' }, testOrigin)
      return { transactions: transactions.mock.calls.length, statements: statements.mock.calls.length }
    }

    expect(await workFor('nobody@acme.example')).toEqual(await workFor(ana.email))
  })
})

describe('too many wrong ones', () => {
  test('make even the right one wait, from the same network', async () => {
    const { world, guess } = await aSignIn()
    for (let time = 0; time < 5; time++) expect(problemMessages(await guess())).toEqual([wrongWords])

    expect(problemMessages(await guess({ password }))).toEqual([
      'Too many wrong passwords. Wait 1 second and try again.',
    ])
    world.advance('1 second')
    requireDone(await guess({ password }))
  })

  test('are told in words how long to wait', async () => {
    const { world, guess } = await aSignIn()
    const waits: string[] = []
    for (let time = 0; time < 16; time++) {
      const [words = ''] = problemMessages(await guess())
      const [, amount = '0', unit = ''] = /Wait (\d+) (second|minute)/.exec(words) ?? []
      waits.push(`${amount} ${unit}`.trim())
      // a guess that waits was not judged, so it is given again once the time is over
      world.advance(unit === 'minute' ? `${Number(amount)} minutes` : `${Number(amount)} seconds`)
      if (unit) await guess()
    }

    expect(waits).toEqual([
      '0',
      '0',
      '0',
      '0',
      '0',
      '1 second',
      '2 second',
      '4 second',
      '8 second',
      '16 second',
      '32 second',
      '2 minute',
      '3 minute',
      '5 minute',
      '9 minute',
      '15 minute',
    ])
  })

  test('do not keep their owner out for long, from anywhere else', async () => {
    const { world, guess } = await aSignIn()
    for (let network = 0; network < 40; network++) {
      await guess({ address: `192.0.${network}.0/24` })
      world.advance('30 seconds')
    }

    requireDone(await guess({ password, address: '198.51.100.0/24' }))
  })

  test('of a member’s own are forgotten with the right one', async () => {
    const { guess } = await aSignIn()
    for (let time = 0; time < 4; time++) await guess()
    requireDone(await guess({ password }))
    for (let time = 0; time < 4; time++) expect(problemMessages(await guess())).toEqual([wrongWords])

    requireDone(await guess({ password }))
  })

  test('are counted for an unknown address, in the same words', async () => {
    const { guess } = await aSignIn()
    const email = 'nobody@acme.example'
    for (let time = 0; time < 5; time++) await guess({ email })

    expect(problemMessages(await guess({ email }))).toEqual([
      'Too many wrong passwords. Wait 1 second and try again.',
    ])
  })

  test('count when the password is only confirmed, and are told so', async () => {
    const { product, ana, signedIn } = await aSignIn()
    const viewer = await signedIn(ana)
    for (let time = 0; time < 10; time++) {
      expect(problemMessages(await product.signIn.confirm({ password: 'no' }, viewer))).toEqual([
        'This is not your password.',
      ])
    }

    expect(problemMessages(await product.signIn.confirm({ password }, viewer))).toEqual([
      'Too many wrong passwords. Wait 1 second and try again.',
    ])
  })

  test('that come at once are counted before the first is judged: fifty parallel guesses are five', async () => {
    const { guess } = await aSignIn()
    const answers = await Promise.all(Array.from({ length: 50 }, () => guess()))

    expect(answers.filter((answer) => problemMessages(answer)[0] === wrongWords)).toHaveLength(5)
  })

  test('of others do not keep out a member who has signed in with this browser before', async () => {
    const { product, ana, guess } = await aSignIn()
    const here = { address: '198.51.100.7' }
    const { device } = requireSignedIn(
      await product.signIn.signIn({ email: ana.email, password }, from('198.51.100.0/24'), here),
    )
    for (let network = 0; network < 60; network++) await guess({ address: `192.0.${network}.0/24` })
    for (let time = 0; time < 8; time++) await guess({ address: '198.51.100.0/24' })

    const known = { ...here, device: device.text }
    requireDone(await product.signIn.signIn({ email: ana.email, password }, from('198.51.100.0/24'), known))
    const other = { ...here, device: 'x'.repeat(43) }
    const answer = await product.signIn.signIn({ email: ana.email, password }, testOrigin, other)
    expect(problemMessages(answer)[0]).toMatch(/^Too many wrong passwords/)
  })

  test('of one address do not lock out its neighbours in the network', async () => {
    const { product, ana } = await aSignIn()
    const guessFrom = (address: string, given: string) =>
      product.signIn.signIn({ email: ana.email, password: given }, testOrigin, { address })
    for (let time = 0; time < 12; time++) await guessFrom('203.0.113.7', 'a wrong one')

    expect(problemMessages(await guessFrom('203.0.113.7', password))[0]).toMatch(/^Too many/)
    requireDone(await guessFrom('203.0.113.8', password))
  })

  test('of a device are slowed although it is known', async () => {
    const { product, ana } = await aSignIn()
    const { device } = requireSignedIn(
      await product.signIn.signIn({ email: ana.email, password }, testOrigin),
    )
    const guessHere = (given: string) =>
      product.signIn.signIn({ email: ana.email, password: given }, testOrigin, { device: device.text })
    for (let time = 0; time < 10; time++) expect(problemMessages(await guessHere('no'))).toEqual([wrongWords])

    expect(problemMessages(await guessHere(password))[0]).toMatch(/^Too many/)
  })

  test('leave nothing of the whole address in the store', async () => {
    const { product, ana, database } = await aSignIn()
    const source = { address: '198.51.100.77' }
    await product.signIn.signIn({ email: ana.email, password: 'no' }, from('198.51.100.0/24'), source)
    const buckets = database((file) => file.prepare('select bucket from throttles').all())

    expect(buckets).toHaveLength(5)
    expect(JSON.stringify(buckets)).not.toContain('198.51.100.77')
  })
})
