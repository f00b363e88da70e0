import { hash } from '@node-rs/argon2'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { aGround, done, type Ground, objections, password, present, somewhere } from '../../test/ground'
import { openStore } from '../store/open'
import type { Origin } from './access'
import type { Member } from './members'
import type { Outcome } from './problems'
import { SignIn } from './sign-in'

const wrongWords = 'The address or the password is wrong.'
const from = (address: string): Origin => ({ ...somewhere, address })

async function aDoor(): Promise<Ground & { ana: Member; guess: Guess }> {
  const ground = await aGround()
  await ground.aProject()
  const ana = await ground.aMember()
  const guess: Guess = (wanted = {}) =>
    ground.product.signIn.signIn(
      { email: wanted.email ?? ana.email, password: wanted.password ?? 'a wrong one' },
      from(wanted.address ?? somewhere.address),
    )
  return { ...ground, ana, guess }
}

type Guess = (wanted?: {
  email?: string
  password?: string
  address?: string
}) => Promise<Outcome<{ token: string }>>

describe('the right password', () => {
  test.each([['as it was given'], ['with another case and spaces around the address']])(
    '%s opens the door',
    async (how) => {
      const { product, ana, guess } = await aDoor()
      const email = how.startsWith('with') ? `  ${ana.email.toUpperCase()} ` : ana.email
      const { token } = done(await guess({ email, password }))

      expect(present(await product.sessions.viewer(token, somewhere)).memberId).toBe(ana.id)
    },
  )

  test('is hashed again when the hash is of an older strength', async () => {
    const { guess, database } = await aDoor()
    const weaker = await hash(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    database((file) => file.prepare('update members set password_hash = ?').run(weaker))
    const kept = () =>
      String(database((file) => file.prepare('select password_hash from members').get())?.['password_hash'])
    done(await guess({ password }))
    const strengthened = kept()
    done(await guess({ password }))

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
    const { guess } = await aDoor()

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
    const { product } = await aDoor()

    expect(objections(await product.signIn.signIn(input, somewhere))).toEqual(words)
  })

  test('costs the same work for a member as for nobody', async () => {
    const { ana, folder, world } = await aDoor()
    const store = await openStore({ folder })
    onTestFinished(() => store.close())
    const transactions = vi.spyOn(store, 'transaction')
    const statements = vi.spyOn(store, 'tables')
    const signIn = new SignIn({ store, world })
    const workFor = async (email: string) => {
      transactions.mockClear()
      statements.mockClear()
      await signIn.signIn({ email, password: 'a wrong one' }, somewhere)
      return { transactions: transactions.mock.calls.length, statements: statements.mock.calls.length }
    }

    expect(await workFor('nobody@acme.example')).toEqual(await workFor(ana.email))
  })
})

describe('too many wrong ones', () => {
  test('make even the right one wait, from the same network', async () => {
    const { world, guess } = await aDoor()
    for (let time = 0; time < 5; time++) expect(objections(await guess())).toEqual([wrongWords])

    expect(objections(await guess({ password }))).toEqual([
      'Too many wrong passwords. Wait 1 second and try again.',
    ])
    world.advance('1 second')
    done(await guess({ password }))
  })

  test('are told in words how long to wait', async () => {
    const { world, guess } = await aDoor()
    const waits: string[] = []
    for (let time = 0; time < 16; time++) {
      const [words = ''] = objections(await guess())
      const [, amount = '0', unit = ''] = /Wait (\d+) (second|minute)/.exec(words) ?? []
      waits.push(`${amount} ${unit}`.trim())
      // what waits was not judged, so it is given again once the time is over
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
    const { world, guess } = await aDoor()
    for (let network = 0; network < 40; network++) {
      await guess({ address: `192.0.${network}.0/24` })
      world.advance('30 seconds')
    }

    done(await guess({ password, address: '198.51.100.0/24' }))
  })

  test('of a member’s own are forgotten with the right one', async () => {
    const { guess } = await aDoor()
    for (let time = 0; time < 4; time++) await guess()
    done(await guess({ password }))
    for (let time = 0; time < 4; time++) expect(objections(await guess())).toEqual([wrongWords])

    done(await guess({ password }))
  })

  test('are counted for an address nobody has, in the same words', async () => {
    const { guess } = await aDoor()
    const email = 'nobody@acme.example'
    for (let time = 0; time < 5; time++) await guess({ email })

    expect(objections(await guess({ email }))).toEqual([
      'Too many wrong passwords. Wait 1 second and try again.',
    ])
  })

  test('count when the password is only confirmed, and are told so', async () => {
    const { product, ana, signedIn } = await aDoor()
    const viewer = await signedIn(ana)
    for (let time = 0; time < 5; time++) {
      expect(objections(await product.signIn.confirm({ password: 'no' }, viewer))).toEqual([
        'This is not your password.',
      ])
    }

    expect(objections(await product.signIn.confirm({ password }, viewer))).toEqual([
      'Too many wrong passwords. Wait 1 second and try again.',
    ])
  })

  test('are all counted when they come at once', async () => {
    const { guess, database } = await aDoor()
    await Promise.all(Array.from({ length: 12 }, () => guess()))
    const counted = database((file) =>
      file.prepare(`select failures from throttles where bucket = 'all'`).get(),
    )

    expect(counted).toEqual({ failures: 12 })
  })
})
