import { hash } from 'node:crypto'
import { z } from 'zod'
import { readPattern } from '#filters/patterns'
import { sanitizeHtml } from '../sanitize-html'

/** Limits. More than this is most likely a mistake, and slows down every page that shows the survey. */
export const surveyLimits = {
  surveys: 200,
  questions: 100,
  choices: 100,
  /** Characters of a text. */
  text: 3000,
  /** Characters of a label, a button or an address. */
  label: 300,
  endCards: 20,
  hiddenFields: 50,
  languages: 50,
  triggers: 50,
  conditions: 50,
  responses: 10_000_000,
  iterations: 500,
  days: 3650,
}

/** Text without characters that cannot be stored or sent; line breaks may stay. */
export const text = (most: number = surveyLimits.text) =>
  z
    .string({ error: 'Write it as a text.' })
    .max(most, `Use at most ${most.toLocaleString('en')} characters.`)
    .regex(/^[^\p{Cs}\0]*$/u, 'Leave out characters that cannot be seen.')

export const requiredText = (missing: string, most?: number) =>
  text(most).refine((one) => one.trim() !== '', { error: missing })

export const flag = z.boolean({ error: 'Say true or false.' })

export const whole = (least: number, most: number) =>
  z
    .number({ error: 'Give a whole number.' })
    .int('Give a whole number.')
    .min(least, `The number is at least ${least.toLocaleString('en')}.`)
    .max(most, `The number is at most ${most.toLocaleString('en')}.`)

export const percentage = z
  .number({ error: 'Give the percentage as a number from 0 to 100.' })
  .min(0, 'A percentage is not less than 0.')
  .max(100, 'A percentage is not more than 100.')

/** Ids become keys of objects, of event properties and of CSS classes. */
export const id = z
  .string({ error: 'An id is a text.' })
  .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'An id has 1 to 64 letters, digits, hyphens and underscores.')
  .refine((one) => !(one in {}), { error: 'This id means something else in browsers. Choose another.' })

/** An id that may be absent in an input; it is '' until one is made. */
export const idOrMade = id
  .optional()
  .transform((given = '') => given)
  .pipe(z.string())

/** An id made of what it names: the same input gives the same survey. */
export const idOf = (...parts: readonly string[]): string =>
  hash('sha256', parts.join('\n'), 'hex').slice(0, 12)

/** An instant, which JSON carries as a text. */
export const moment = z.union(
  [z.date(), z.iso.datetime({ offset: true }).transform((iso) => new Date(iso))],
  {
    error: 'Write the time like 2026-11-21T10:30:00Z.',
  },
)

/** Text that a member wrote. HTML is sanitised whenever it is stored, imported and sent. */
export const formatted = z.strictObject({ format: z.enum(['text', 'html']), text: text() })

export const formattedText = z
  .union([text().transform((plain) => ({ format: 'text' as const, text: plain })), formatted], {
    error: `Give the description as a text, or as { "format": "text" or "html", "text" }, with at most ${surveyLimits.text.toLocaleString('en')} characters.`,
  })
  .pipe(formatted)
  .overwrite((given) => (given.format === 'html' ? { ...given, text: sanitizeHtml(given.text) } : given))
  .default({ format: 'text', text: '' })

/** The base description decides whether this is HTML; markup is removed either way unless it is allowed. */
export const translatedDescription = text().overwrite((one) => (one.includes('<') ? sanitizeHtml(one) : one))

/** An address that a browser opens, and no script. */
export const link = text(2000).refine((address) => hasProtocol(address, ['https:', 'mailto:']), {
  error: 'Give a link that begins with https:// or mailto:.',
})

export const webAddress = text(2000).refine((address) => hasProtocol(address, ['https:']), {
  error: 'Give an address that begins with https://.',
})

/** Pictures that were uploaded here are named by their path. */
const uploadPath = /^\/_tilth\/images\/[\w.-]+$/

export const imageUrl = text(2000).refine(
  (address) => uploadPath.test(address) || hasProtocol(address, ['https:']),
  { error: 'Give the address of a picture that begins with https://, or upload the picture.' },
)

function hasProtocol(address: string, protocols: readonly string[]): boolean {
  const url = URL.parse(address)
  return url !== null && protocols.includes(url.protocol) && !/[\s<>"'\\]/.test(address)
}

/** A regular expression of RE2. Browsers read the same source with their own rules. */
export const pattern = text(1000).check(({ value, issues }) => {
  const reading = readPattern(value)
  const message = 'refused' in reading ? reading.refused : browserObjection(value)
  if (message !== undefined) issues.push({ code: 'custom', message, input: value })
})

function browserObjection(source: string): string | undefined {
  try {
    RegExp(source)
    return undefined
  } catch {
    return 'Browsers do not understand this pattern. Write it without inline flags such as (?i).'
  }
}

export const languageTag = z
  .string({ error: 'Give a language tag, as in de or pt-BR.' })
  .regex(/^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8}){0,3}$/, 'Give a language tag, as in de or pt-BR.')
