import type * as argon2 from '@node-rs/argon2'
import { afterAll, describe, expect, test, vi } from 'vitest'

const running = { now: 0, most: 0 }

/** The real hashing, which counts how much of it goes on at once. */
vi.doMock('@node-rs/argon2', async (importOriginal) => {
  const real = await importOriginal<typeof argon2>()
  const counted =
    <Given extends unknown[], Answer>(work: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      running.most = Math.max(running.most, ++running.now)
      return await work(...given).finally(() => running.now--)
    }
  return { ...real, hash: counted(real.hash), verify: counted(real.verify) }
})

// Unit tests share their modules: this file loads its own copy, and leaves none behind.
vi.resetModules()
const { hashPassword, isOutdated, isPassword, placeholderHash, TooManySignInsError, passwordProblem } =
  await import('./passwords')
afterAll(() => {
  vi.doUnmock('@node-rs/argon2')
  vi.resetModules()
})

const person = ['ana.berg@acme.example', 'Ana Berg', 'Garden World']

const short = 'Use at least 12 characters. A few unrelated words are easy to remember.'
const long = 'Use at most 128 characters.'
const repeats = 'This repeats the same few characters. Use more different ones.'
const common = 'This password is on lists that attackers try first. Choose another.'
const personal =
  'This is your name, address or project with a few characters added. Choose something unrelated.'

describe('weak', () => {
  test.each([
    ['', short],
    ['correct', short],
    ['elevenchars', short],
    // eleven letters, though more bytes and more units
    ['пароль-пять', short],
    ['👩‍🚀🔑🌱', short],
    ['x1'.repeat(65), long],
    ['lantern orchard '.repeat(9), long],
    ['aaaaaaaaaaaaaaaa', repeats],
    ['1111222233334444', repeats],
    ['AaAaBbBbCcCcDdDd', repeats],
    ['            ', repeats],
    ['passwordpassword', common],
    ['PasswordPassword', common],
    ['Password2026!', common],
    ['!!!password!!!1', common],
    ['qwertyuiop123', common],
    ['iloveyou-2026-!', common],
    ['unbelievable', common],
    ['sunshine-sunshine', common],
    ['ana.berg.2026', personal],
    ['AnaBerg-2026-!', personal],
    ['ana.berg@acme.example', personal],
    ['anaberg.anaberg', personal],
    ['2026-acme-2027', common],
    ['Garden-World-2026', personal],
    ['gardenworld-2026!', personal],
    ['tilth-tilth-tilth', personal],
  ])('%j: %s', async (password, objection) => {
    expect(await passwordProblem(password, person)).toEqual({ field: 'password', message: objection })
  })
})

describe('fine', () => {
  test.each([
    ['lantern orchard violin'],
    ['twelve chars'],
    ['x7#Kp9!mQ2vL'],
    ['4837-2291-7765'],
    ['пароль из шести слов'],
    ['秘密の花園は森の奥にある'],
    ['🌱🔑🚪🪟🧱🪜🌧️☀️🌙⭐🌍🌊'],
    ['a\tb\nc\0d\u0007efgh'],
    ['ana met a very old heron'],
    [`'; drop table members; --`],
    ['lantern orchard violin '.repeat(5).trim()],
    [`${'lantern orchard violin '.repeat(5)}lantern orchar`.slice(0, 128)],
  ])('%j', async (password) => {
    expect(await passwordProblem(password, person)).toBeUndefined()
  })

  test('without a letter, though the person’s name has none either', async () => {
    expect(await passwordProblem('4837-2291-7765', ['007', '😀', ''])).toBeUndefined()
  })
})

describe('a hash', () => {
  test('is argon2id at its strength, with a new salt each time, and verifies', async () => {
    const password = 'lantern orchard violin'
    const hashes = await Promise.all([hashPassword(password), hashPassword(password)])

    for (const hashed of hashes) {
      expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
      expect(await isPassword(password, hashed)).toBe(true)
      expect(isOutdated(hashed)).toBe(false)
    }
    expect(new Set(hashes).size).toBe(2)
  })

  test.each([
    ['another case', 'Lantern orchard violin'],
    ['a space too many', 'lantern orchard violin '],
    ['a letter too few', 'lantern orchard violi'],
    ['nothing', ''],
    ['a NUL at the end', 'lantern orchard violin\0'],
  ])('does not verify %s', async (_, wrong) => {
    expect(await isPassword(wrong, await hashPassword('lantern orchard violin'))).toBe(false)
  })

  test.each([
    ['é', 'e\u0301'],
    ['🌱', '🌿'],
    ['ß', 'ss'],
  ])('tells %j from %j', async (one, other) => {
    expect(await isPassword(`orchard violin ${other}`, await hashPassword(`orchard violin ${one}`))).toBe(
      false,
    )
  })

  test('of the longest password verifies nothing longer', async () => {
    const longest = 'lantern orchard violin '.repeat(6).slice(0, 128)
    const hashed = await hashPassword(longest)

    expect(await isPassword(longest, hashed)).toBe(true)
    expect(await isPassword(`${longest}x`, hashed)).toBe(false)
  })

  test('of an older strength is outdated', () => {
    expect(isOutdated('$argon2id$v=19$m=8192,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaA')).toBe(true)
  })

  test('of an unknown member is verified at full cost, and matches no password', async () => {
    expect(placeholderHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$A{22}\$A{43}$/)
    for (const guess of ['', 'A'.repeat(43), 'lantern orchard violin', '\0'.repeat(32)]) {
      expect(await isPassword(guess, placeholderHash)).toBe(false)
    }
  })
})

describe('a flood', () => {
  test('hashes two at once, keeps fifty waiting and sends the rest away', async () => {
    running.most = 0
    const flood = Array.from({ length: 60 }, () => isPassword('a guess', placeholderHash))
    const outcomes = await Promise.allSettled(flood)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')

    expect(refused).toHaveLength(8)
    expect(refused.every(({ reason }) => reason instanceof TooManySignInsError)).toBe(true)
    expect(running.most).toBe(2)
  })

  test('that comes in waves never gets a third place', async () => {
    running.most = 0
    const guesser = async () => {
      for (let guess = 0; guess < 4; guess++) {
        await isPassword('a guess', placeholderHash)
        await Promise.resolve()
      }
    }
    await Promise.all(Array.from({ length: 7 }, guesser))

    expect(running.most).toBe(2)
  })

  test('leaves no trace: the next one is served', async () => {
    await Promise.allSettled(Array.from({ length: 60 }, () => isPassword('a guess', placeholderHash)))

    expect(await isPassword('lantern', await hashPassword('lantern'))).toBe(true)
    expect(running.now).toBe(0)
  })

  test('gives its place back when the work fails', async () => {
    const broken = Array.from({ length: 10 }, () => isPassword('a guess', 'no hash at all'))

    expect((await Promise.allSettled(broken)).every(({ status }) => status === 'rejected')).toBe(true)
    expect(await isPassword('a guess', placeholderHash)).toBe(false)
  })
})
