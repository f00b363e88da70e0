import { hash, verify } from '@node-rs/argon2'
import { wordsOfContext, maxPasswordLength, passwordRules } from './password-rules'
import type { InputProblem } from './problems'

/**
 * argon2id with the parameters that OWASP recommends. They are stored in every hash, so they can be raised while old
 * hashes still verify.
 */
const strength = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Returns why a password is not accepted; undefined if it is. */
export async function passwordProblem(
  password: string,
  context: readonly string[],
): Promise<InputProblem | undefined> {
  const passwordContext = { commonPasswords: await commonPasswords(), contextWords: wordsOfContext(context) }
  const broken = passwordRules.find((rule) => rule.rejects(password, passwordContext))
  return broken && { field: 'password', message: broken.objection }
}

let loadedPasswords: Promise<ReadonlySet<string>> | undefined

/** Fifty thousand passwords, loaded when a member first chooses a password. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loadedPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map(String)),
  )
  return loadedPasswords
}

/** Each hash takes 19 MB, so the number of concurrent hashes and the queue are limited. */
const maxConcurrentHashes = 2
const maxWaiting = 50

let runningHashes = 0
const waitingHashes: (() => void)[] = []

export class TooManySignInsError extends Error {
  override readonly name = 'TooManySignInsError'
}

async function withHashSlot<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  if (runningHashes < maxConcurrentHashes) runningHashes++
  else await waitForSlot()
  try {
    return await work()
  } finally {
    const next = waitingHashes.shift()
    // hands the slot over, so that no other caller can take it first
    if (next) next()
    else runningHashes--
  }
}

function waitForSlot(): Promise<void> {
  if (waitingHashes.length >= maxWaiting)
    throw new TooManySignInsError('Too many people are signing in. Try again in a moment.')
  return new Promise((resolve) => waitingHashes.push(resolve))
}

export const hashPassword = (password: string): Promise<string> =>
  withHashSlot(() => hash(password, strength))

const strengthInHash = `m=${strength.memoryCost},t=${strength.timeCost},p=${strength.parallelism}$`

/**
 * A hash to verify against when the member does not exist, so that response time does not reveal accounts. Its salt
 * and hash are all zeros, which no password produces.
 */
export const placeholderHash = `$argon2id$v=19$${strengthInHash}${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Cuts overlong passwords before hashing, and still hashes, to keep the response time equal. */
export const isPassword = (password: string, hashed: string): Promise<boolean> =>
  withHashSlot(async () => {
    const fits = await verify(hashed, password.slice(0, maxPasswordLength))
    return fits && password.length <= maxPasswordLength
  })

/** Whether it has older parameters, so that it is hashed again at the next sign-in. */
export const isOutdated = (hashed: string): boolean => !hashed.includes(strengthInHash)
