import { z } from 'zod'

const keyForm = /^[a-zA-Z0-9_.-]{1,200}$/

/** JavaScript treats a property of this name specially, so it would be lost on the way to a browser. */
const forbidden = '__proto__'

/** Segments that point elsewhere in a URL. */
const pathTraversal = /^\.{1,2}$/

const keySchema = (what: string) =>
  z
    .string({ error: `${what} has a key.` })
    .regex(keyForm, `${what}’s key has 1 to 200 letters, digits, dots, dashes and underscores.`)
    .refine((text) => text !== forbidden, { error: `“${forbidden}” is a reserved key. Choose another.` })
    .refine((text) => !pathTraversal.test(text), { error: `${what}’s key needs more than dots.` })

export const key = keySchema('A flag')

/** Decisions are "true" and "false" besides variants, and a holdout's value looks like a variant's. */
const reservedVariantKey = /^(?:true|false|holdout-.*)$/

export const variantKey = keySchema('A variant').refine((text) => !reservedVariantKey.test(text), {
  error:
    'A variant cannot be called true, false or holdout-…: that means something else. Choose another key.',
})

/** A text of one line without invisible characters. */
export const printable = (most: number) =>
  z
    .string({ error: 'Write it as a text.' })
    .max(most, `Use at most ${most} characters.`)
    .regex(/^[^\p{Cs}\0]*$/u, 'Leave out characters that cannot be seen.')

export const namedText = (what: string, most: number) =>
  printable(most)
    .min(1, `${what} has a name.`)
    .refine((text) => text !== forbidden, { error: `${what} cannot be called “${forbidden}”.` })

export const textList = (most: number) =>
  z
    .array(printable(100).trim().min(1, 'Leave out what is empty.'), { error: 'Give a list of texts.' })
    .max(most, `At most ${most} can be given.`)
    .overwrite((texts) => [...new Set(texts)])

export const percentage = z
  .number({ error: 'Give the percentage as a number from 0 to 100.' })
  .min(0, 'A percentage is not less than 0.')
  .max(100, 'A percentage is not more than 100.')
  .refine(isInHundredths, { error: 'Percentages go in steps of 0.01.' })

/** Floating-point arithmetic makes 33.33 times 100 inexact. */
function isInHundredths(value: number): boolean {
  return Math.abs(value * 100 - Math.round(value * 100)) < 1e-6
}

const mostPayload = 100_000

const payload = z
  .string({ error: 'Give the payload as text that is JSON.' })
  .max(mostPayload, `A payload has at most ${mostPayload.toLocaleString('en')} characters.`)
  .refine(isJson, {
    error: 'The payload is not JSON. A text needs "quotation marks", and so do names in { }.',
  })

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export const payloads = z
  .unknown()
  .refine((all) => !hasForbidden(all), { error: `“${forbidden}” is a reserved key.` })
  .pipe(z.record(z.string(), payload, { error: 'Give payloads by the key of their variant, or by "true".' }))

const hasForbidden = (all: unknown): boolean =>
  typeof all === 'object' && all !== null && Object.hasOwn(all, forbidden)
