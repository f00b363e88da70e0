import { z } from 'zod'
import { moment } from '../internal/field-schemas'

/** A survey has at most this many links, and as many can be made at once. */
export const linkLimits = { perSurvey: 10_000, atOnce: 1000 } as const

const recipient = z.strictObject({
  distinctId: z.string().trim().min(1, 'Give the person’s distinct id.').max(200).optional(),
  email: z.email('Write an address such as “ana@example.com”.').max(254).optional(),
  label: z.string().trim().max(200, 'Use at most 200 characters.').default(''),
})

/** A number of links, or one for each recipient. */
export const newSurveyLinks = z
  .strictObject({
    count: z
      .number({ error: 'Say how many links to make.' })
      .int('Say how many links to make.')
      .min(1, 'Make at least one link.')
      .max(linkLimits.atOnce, `At most ${linkLimits.atOnce} links can be made at once.`)
      .optional(),
    recipients: z
      .array(recipient)
      .min(1, 'Name at least one recipient.')
      .max(linkLimits.atOnce, `At most ${linkLimits.atOnce} links can be made at once.`)
      .optional(),
    expiresAt: moment.optional(),
  })
  .refine(({ count, recipients }) => (count === undefined) !== (recipients === undefined), {
    error: 'Give a count or a list of recipients.',
  })

export type LinkRecipient = z.output<typeof recipient>
