import { z } from 'zod'

const text = (most: number) =>
  z.string({ error: 'Write it as text.' }).trim().max(most, `Use at most ${most} characters.`)

const optionalAddress = z.union([
  z.literal(''),
  z.email('Write an address such as "ana@example.com".').max(254),
])

export const letterSettings = z.strictObject({
  /** The name of the sender; '' is the name of the site. */
  senderName: text(80)
    .regex(/^[^<>"\p{Cc}]*$/u, 'Leave out <, > and ".')
    .default(''),
  replyTo: optionalAddress.default(''),
  /** Stands below each letter; several countries require it. */
  postalAddress: text(300).default(''),
  /** A mailbox whose mail is given to `tilth bounce`. Each letter returns to a subaddress of it. */
  bounceAddress: optionalAddress.default(''),
  /** The number of letters that are sent a minute. */
  perMinute: z
    .number({ error: 'Write a number.' })
    .int('Write a whole number.')
    .min(1, 'Write at least 1.')
    .max(3000, 'Write at most 3000.')
    .default(60),
})

export type LetterSettings = z.infer<typeof letterSettings>

/** Settings of a newer version count as the defaults. */
export function letterSettingsIn(stored: unknown): LetterSettings {
  const read = letterSettings.safeParse(stored ?? {})
  return read.success ? read.data : letterSettings.parse({})
}
