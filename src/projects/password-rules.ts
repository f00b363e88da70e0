/** What a password has to be: shown while it is typed, judged when it is chosen. */
export interface PasswordRule {
  /** For the list beside the field. */
  label: string
  /** Whether this password breaks it. */
  isBrokenBy: (password: string, around: Surroundings) => boolean
  /** What to tell whoever chose such a password. */
  objection: string
  /** Judged by a list that only the server has. */
  needsList?: true
  /** A bound that hardly anybody meets. */
  isLimit?: true
}

export interface Surroundings {
  /** Lower-case words of the person and the project. */
  context: ReadonlySet<string>
  /** Passwords that everybody chooses. A browser is not sent them. */
  known?: ReadonlySet<string>
}

const least = 12
export const longestPassword = 128

/** In the order they are told: what can be mended first stands first. */
export const passwordRules: readonly PasswordRule[] = [
  {
    label: `At least ${least} characters`,
    isBrokenBy: (password) => Array.from(password).length < least,
    objection: `Use at least ${least} characters. A few unrelated words are easy to remember.`,
  },
  {
    label: `At most ${longestPassword} characters`,
    isBrokenBy: (password) => password.length > longestPassword,
    objection: `Use at most ${longestPassword} characters.`,
    isLimit: true,
  },
  {
    label: 'Not the same few characters over and over',
    isBrokenBy: (password) => new Set(password.toLowerCase()).size < 5,
    objection: 'This repeats the same few characters. Use more different ones.',
  },
  {
    label: 'Not on the lists that attackers try first',
    isBrokenBy: (password, { known }) =>
      Boolean(known?.has(password.toLowerCase()) || known?.has(core(password))),
    objection: 'This password is on lists that attackers try first. Choose another.',
    needsList: true,
  },
  {
    label: 'Not your name or address with a few characters added',
    isBrokenBy: (password, { context }) => context.has(core(password)),
    objection:
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
export function contextWords(context: readonly string[]): Set<string> {
  const words = ['tilth', ...context].flatMap((text) => {
    const parts = text
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .filter(Boolean)
    return [...parts, parts.join(''), parts.slice(0, 2).join('')]
  })
  return new Set(words.map(core).filter(Boolean))
}
