/** The rules for passwords: shown while typing, enforced when one is chosen. */
export interface PasswordRule {
  /** The label in the list beside the field. */
  label: string
  /** Whether a password violates the rule. */
  rejects: (password: string, around: PasswordContext) => boolean
  /** The refusal shown for such a password. */
  objection: string
  /** Whether it needs a list that only the server has. */
  needsList?: true
  /** Whether it is a limit that few passwords reach. */
  isLimit?: true
}

interface PasswordContext {
  /** Lower-case words of the person and the project. */
  contextWords: ReadonlySet<string>
  /** Common passwords. The list is not sent to browsers. */
  commonPasswords?: ReadonlySet<string>
}

const minPasswordLength = 12
export const maxPasswordLength = 128

/** The rules in the order of display: the easiest to fix come first. */
export const passwordRules: readonly PasswordRule[] = [
  {
    label: `At least ${minPasswordLength} characters`,
    rejects: (password) => Array.from(password).length < minPasswordLength,
    objection: `Use at least ${minPasswordLength} characters. A few unrelated words are easy to remember.`,
  },
  {
    label: `At most ${maxPasswordLength} characters`,
    rejects: (password) => password.length > maxPasswordLength,
    objection: `Use at most ${maxPasswordLength} characters.`,
    isLimit: true,
  },
  {
    label: 'Not the same few characters over and over',
    rejects: (password) => new Set(password.toLowerCase()).size < 5,
    objection: 'This repeats the same few characters. Use more different ones.',
  },
  {
    label: 'Not on the lists that attackers try first',
    rejects: (password, { commonPasswords }) =>
      Boolean(commonPasswords?.has(password.toLowerCase()) || commonPasswords?.has(undecorated(password))),
    objection: 'This password is on lists that attackers try first. Choose another.',
    needsList: true,
  },
  {
    label: 'Not your name or address with a few characters added',
    rejects: (password, { contextWords }) => contextWords.has(undecorated(password)),
    objection:
      'This is your name, address or project with a few characters added. Choose something unrelated.',
  },
]

/** The core of "Password-2026!" without decoration: the letters, and one copy of a repeated word. */
const undecorated = (password: string): string =>
  password
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '')
    .replace(/^(.+?)\1+$/u, '$1')

/** "Ana Berg <ana@acme.example>" gives ana, berg, anaberg, acme, example …, which are weak passwords. */
export function wordsOfContext(context: readonly string[]): Set<string> {
  const words = ['tilth', ...context].flatMap((text) => {
    const parts = text
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .filter(Boolean)
    return [...parts, parts.join(''), parts.slice(0, 2).join('')]
  })
  return new Set(words.map(undecorated).filter(Boolean))
}
