import { hash, verify } from '@node-rs/argon2'
import type { Problem } from './problems'

const least = 12
const most = 128

/** argon2id at the strength OWASP asks for; kept inside every hash, so it can be raised and old hashes still verify. */
const strength = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Why this password will not do, in words for the person choosing it; undefined when it will. */
export async function weakness(password: string, context: readonly string[]): Promise<Problem | undefined> {
  const known = await commonPasswords()
  const objection = objections.find(({ holds }) => holds(password, { known, context: contextWords(context) }))
  return objection && { field: 'password', message: objection.message }
}

interface Surroundings {
  known: ReadonlySet<string>
  context: ReadonlySet<string>
}

const objections: readonly { holds: (password: string, around: Surroundings) => boolean; message: string }[] =
  [
    {
      holds: (password) => Array.from(password).length < least,
      message: `Use at least ${least} characters. A few unrelated words are easy to remember.`,
    },
    { holds: (password) => password.length > most, message: `Use at most ${most} characters.` },
    {
      holds: (password) => new Set(password.toLowerCase()).size < 5,
      message: 'This repeats the same few characters. Use more different ones.',
    },
    {
      holds: (password, { known }) => known.has(password.toLowerCase()) || known.has(core(password)),
      message: 'This password is on lists that attackers try first. Choose another.',
    },
    {
      holds: (password, { context }) => context.has(core(password)),
      message:
        'This is your name, address or project with a few characters added. Choose something unrelated.',
    },
  ]

/** What remains of "Password-2026!" once the decoration is off: the letters, and of a repeated word one copy. */
const core = (password: string): string =>
  password
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '')
    .replace(/^(.+?)\1+$/u, '$1')

/** "Ana Berg <ana@acme.example>" gives ana, berg, anaberg, acme, example … : nothing to build a password from. */
function contextWords(context: readonly string[]): Set<string> {
  const words = ['tilth', ...context].flatMap((text) => {
    const parts = text
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .filter(Boolean)
    return [...parts, parts.join(''), parts.slice(0, 2).join('')]
  })
  return new Set(words.map(core))
}

let known: Promise<ReadonlySet<string>> | undefined

/** Fifty thousand passwords, loaded only when somebody chooses one. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  known ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map(String)),
  )
  return known
}

/** Each hash takes 19 MB; this many at once, and a line behind them that is not endless. */
const atOnce = 2
const waitingAtMost = 50

let running = 0
const line: (() => void)[] = []

export class TooManySignIns extends Error {
  override readonly name = 'TooManySignIns'
}

async function inLine<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  if (running >= atOnce) {
    if (line.length >= waitingAtMost)
      throw new TooManySignIns('Too many people are signing in. Try again in a moment.')
    await new Promise<void>((resolve) => line.push(resolve))
  }
  running++
  try {
    return await work()
  } finally {
    running--
    line.shift()?.()
  }
}

export const hashPassword = (password: string): Promise<string> => inLine(() => hash(password, strength))

let nobodys: Promise<string> | undefined

/** Verified against when there is no such member, so that nobody can tell by the clock who has an account. */
export const nobodysHash = (): Promise<string> => (nobodys ??= hashPassword('for nobody at all'))

export const isPassword = (password: string, hashed: string): Promise<boolean> =>
  inLine(() => verify(hashed, password.slice(0, most)))

/** Made with an older strength: time to hash again while the password is at hand. */
export const isOutdated = (hashed: string): boolean =>
  !hashed.includes(`m=${strength.memoryCost},t=${strength.timeCost},p=${strength.parallelism}$`)
