import { hash, verify } from '@node-rs/argon2'
import { contextWords, longestPassword, passwordRules } from './password-rules'
import type { Problem } from './problems'

/** argon2id at the strength OWASP asks for; kept inside every hash, so it can be raised and old hashes still verify. */
const strength = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Why this password will not do, in words for the person choosing it; undefined when it will. */
export async function weakness(password: string, context: readonly string[]): Promise<Problem | undefined> {
  const around = { known: await commonPasswords(), context: contextWords(context) }
  const broken = passwordRules.find((rule) => rule.isBrokenBy(password, around))
  return broken && { field: 'password', message: broken.objection }
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
  if (running < atOnce) running++
  else await aPlaceInLine()
  try {
    return await work()
  } finally {
    const next = line.shift()
    // handed over rather than given up, so that nobody steps in between
    if (next) next()
    else running--
  }
}

function aPlaceInLine(): Promise<void> {
  if (line.length >= waitingAtMost)
    throw new TooManySignIns('Too many people are signing in. Try again in a moment.')
  return new Promise((resolve) => line.push(resolve))
}

export const hashPassword = (password: string): Promise<string> => inLine(() => hash(password, strength))

const strengthInHash = `m=${strength.memoryCost},t=${strength.timeCost},p=${strength.parallelism}$`

/**
 * Verified against when there is no such member, so that nobody can tell by the clock who has an account. A salt and a
 * hash of nothing but zeros: no password makes it.
 */
export const nobodysHash = `$argon2id$v=19$${strengthInHash}${'A'.repeat(22)}$${'A'.repeat(43)}`

/** What is too long to be anybody's is cut before the work, not spared it. */
export const isPassword = (password: string, hashed: string): Promise<boolean> =>
  inLine(async () => {
    const fits = await verify(hashed, password.slice(0, longestPassword))
    return fits && password.length <= longestPassword
  })

/** Made with an older strength: time to hash again while the password is at hand. */
export const isOutdated = (hashed: string): boolean => !hashed.includes(strengthInHash)
