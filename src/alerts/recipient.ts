import { z } from 'zod'
import { email } from '../projects/members'
import { recipientKey } from './recipient-key'

/** Who is told. A member is told wherever their letters go by then, and no more once they have left the project. */
export const givenRecipient = z.discriminatedUnion(
  'by',
  [
    z.strictObject({ by: z.literal('webhook'), url: z.string().trim().min(1, 'Give an address.').max(2000) }),
    z.strictObject({ by: z.literal('member'), member: z.string().min(1, 'Choose a member.').max(100) }),
    z.strictObject({ by: z.literal('mail'), address: email }),
  ],
  { error: 'Say by what: webhook, member or mail.' },
)
export type GivenRecipient = z.infer<typeof givenRecipient>

export const recipients = z
  .array(givenRecipient, { error: 'Give a list of whom to tell.' })
  .min(1, 'Choose somebody to tell.')
  .max(20, 'Tell 20 at most.')
  .refine((given) => new Set(given.map(recipientKey)).size === given.length, {
    error: 'Somebody is named twice.',
  })

export const letterRecipients = recipients.refine((given) => given.every(({ by }) => by !== 'webhook'), {
  error: 'Reports are letters: choose members or addresses.',
})

/** As it is kept: what is sent to an address of the web is signed with a secret that only its owner has besides. */
export type Recipient = Exclude<GivenRecipient, { by: 'webhook' }> | Webhook
export interface Webhook {
  by: 'webhook'
  url: string
  secret: string
}

/** For the audit log, and for those who may not change alerts. */
export const withoutSecrets = (all: readonly Recipient[]) =>
  all.map((one) =>
    one.by === 'webhook' ? { by: one.by, url: `${URL.parse(one.url)?.origin ?? ''}/…` } : one,
  )
