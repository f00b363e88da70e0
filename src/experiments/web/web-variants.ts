import { z } from 'zod'
import type { Flag } from '#flags/flag'
import { failedOutcome, type FailedOutcome } from '#projects/problems'

/** The comparisons of posthog-js with the address of a page. */
const urlMatchTypes = ['icontains', 'not_icontains', 'regex', 'not_regex', 'exact', 'is_not'] as const

const utmValue = z.string().min(1).max(200).optional()

/** A change of elements of the team’s own pages. posthog-js applies markup and styles, and nothing else. */
const transform = z
  .strictObject({
    selector: z
      .string()
      .trim()
      .min(1, 'Say by a CSS selector which elements change.')
      .max(500, 'A selector has at most 500 characters.'),
    html: z.string().max(50_000, 'Markup has at most 50,000 characters.').optional(),
    css: z.string().max(5000, 'A style has at most 5,000 characters.').optional(),
  })
  .refine(
    ({ html, css }) => Boolean(html ?? css),
    'Give the markup (html) or the style (css) of the elements.',
  )

const conditions = z.strictObject({
  url: z.string().min(1).max(2000).optional(),
  urlMatchType: z.enum(urlMatchTypes).default('icontains'),
  utm: z
    .strictObject({ utm_source: utmValue, utm_medium: utmValue, utm_campaign: utmValue, utm_term: utmValue })
    .optional(),
})

/** The changes that posthog-js makes in the team’s own pages for visitors of each variant. */
export const webVariants = z.strictObject({
  assignedBy: z.enum(['flag', 'conditions']).default('flag').meta({
    description: 'With `conditions`, everyone who meets them sees the variant, and no one is exposed',
  }),
  previewsDraft: z
    .boolean()
    .default(false)
    .meta({ description: 'Preview links work before the start; the content is public from then on' }),
  variants: z.record(
    z.string().min(1).max(200),
    z.strictObject({
      transforms: z.array(transform).max(50, 'A variant changes at most 50 places.'),
      conditions: conditions.optional(),
    }),
  ),
})
export type WebVariants = z.infer<typeof webVariants>

/** posthog-js changes nothing for a variant of this name. */
const untouched = 'control'

/** Returns why posthog-js would not do what is asked; undefined if it would. */
export function webVariantsProblem(
  { key, variants }: Pick<Flag, 'key' | 'variants'>,
  web: WebVariants | undefined,
): FailedOutcome | undefined {
  for (const [name, { transforms, conditions: limits }] of Object.entries(web?.variants ?? {})) {
    const message = problemOf(name)
    if (message !== undefined) return failedOutcome(message, 'web')
    if (name === untouched && transforms.length > 0)
      return failedOutcome(`posthog-js never changes a page for the variant "${untouched}".`, 'web')
    if (limits && web?.assignedBy === 'flag')
      return failedOutcome(
        'posthog-js ignores conditions of pages where the flag assigns variants. Leave them out, or let conditions assign.',
        'web',
      )
  }
  return undefined

  function problemOf(name: string): string | undefined {
    if (variants.some((variant) => variant.key === name)) return undefined
    return `The flag "${key}" has no variant "${name}". It has ${variants.map((one) => `"${one.key}"`).join(', ')}.`
  }
}
