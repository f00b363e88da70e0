import { z } from 'zod'
import { email } from '#projects/members'
import { recipientKey } from './recipient-key'

/** A member's current address is used; former members receive no letters. */
const member = z.strictObject({
  by: z.literal('member'),
  member: z.string().min(1, 'Choose a member.').max(100),
})
const mail = z.strictObject({ by: z.literal('mail'), address: email })
const webhook = z.strictObject({
  by: z.literal('webhook'),
  url: z.string().trim().min(1, 'Give an address.').max(2000),
})

/** A recipient of notifications. */
export const givenRecipient = z.discriminatedUnion('by', [webhook, member, mail], {
  error: 'Give the type: webhook, member or mail.',
})
export type GivenRecipient = z.infer<typeof givenRecipient>

/** A recipient of letters. */
const mailRecipient = z.discriminatedUnion('by', [member, mail], {
  error: 'E-mails go to members or e-mail addresses.',
})

const listOf = <One extends z.ZodType<GivenRecipient>>(one: One) =>
  z
    .array(one, { error: 'Give a list of recipients.' })
    .max(20, 'Choose at most 20 recipients.')
    .refine((given) => new Set(given.map(recipientKey)).size === given.length, {
      error: 'A recipient is listed twice.',
    })

/** May be empty. */
export const anyRecipients = listOf(givenRecipient)
export const recipients = anyRecipients.min(1, 'Choose a recipient.')

/** May be empty. */
export const mailRecipients = listOf(mailRecipient)

/** Messages to a webhook are signed with a secret that its owner also has. */
const storedWebhook = webhook.extend({ secret: z.string() })
export type Webhook = z.infer<typeof storedWebhook>

/** A recipient as stored. */
export const recipient = z.discriminatedUnion('by', [storedWebhook, member, mail])
export type Recipient = z.infer<typeof recipient>

/** Leaves out the secrets, for the audit log and for viewers who may not change alerts. */
export const withoutSecrets = (all: readonly Recipient[]) =>
  all.map((one) =>
    one.by === 'webhook' ? { by: one.by, url: `${URL.parse(one.url)?.origin ?? ''}/…` } : one,
  )
