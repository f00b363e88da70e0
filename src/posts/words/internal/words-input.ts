import { z } from 'zod'
import { english } from './english'
import type { ChangedWords, SiteWords } from '../site-words'

const placeholdersIn = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** A text of at most 300 characters, with no more placeholders than the theme fills in. */
const textLike = (known: readonly string[]) =>
  z
    .string({ error: 'Write it as text.' })
    .trim()
    .min(1, 'Enter a text, or leave it out.')
    .max(300, 'Use at most 300 characters.')
    .superRefine((text, context) => {
      const unknown = placeholdersIn(text).filter((name) => !known.includes(name))
      for (const name of unknown) {
        const usable = known.length > 0 ? known.map((one) => `{${one}}`).join(' and ') : 'none'
        context.addIssue({ code: 'custom', message: `"{${name}}" is not filled in here; known: ${usable}.` })
      }
    })

function schemaOf(text: SiteWords[keyof SiteWords]) {
  if (typeof text === 'string') return textLike(placeholdersIn(text)).optional()
  const form = textLike(['count'])
  const rare = form.optional()
  return z.strictObject({ zero: rare, one: rare, two: rare, few: rare, many: rare, other: form }).optional()
}

/** Texts of the theme that a site changes, by their names. */
export const changedWords: z.ZodType<ChangedWords> = z.strictObject(
  Object.fromEntries(Object.entries(english).map(([name, text]) => [name, schemaOf(text)])),
)
