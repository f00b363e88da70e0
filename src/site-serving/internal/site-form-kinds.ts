import { z } from 'zod'
import type { Envelope, IncomingEvent, Properties } from '#events/event'
import { emailPersonId } from '#letters/subscribers/subscriber'
import type { Subscriptions } from '#letters/subscribers/subscriptions'
import { preferredLanguage } from '#letters/words'
import { newComment } from '#posts/comments/comment'
import type { Comments } from '#posts/comments/comments'
import type { Published } from '#posts/published/published'
import { type Outcome, failedOutcome } from '#projects/problems'
import { visitEvent } from '#visits/views'
import type { Visit } from '#visits/visit'
import type { EventDelivery } from '#wire/dialect'

/** A kind of form on a site's pages, and how its input is processed. */
export interface SiteForm {
  /** The fields that keep their values when the form is shown again. A field without a label is hidden. */
  fields: readonly { name: string; label?: string; isLong?: true }[]
  read(fields: URLSearchParams): FormReadResult
}

export type FormReadResult =
  | { isRight: false; mistakes: Readonly<Record<string, string>> }
  | {
      isRight: true
      form: string
      deliveries: (sender: FormSender) => EventDelivery[]
      /** Data that is stored before its events. */
      keep?: (around: FormStores, sender: FormSender) => Promise<Outcome<{ confirms?: boolean }>>
    }

/** The stores that a form can write to. */
export interface FormStores {
  published: Pick<Published, 'at'>
  comments: Pick<Comments, 'write'>
  subscriptions: Pick<Subscriptions, 'signUp'>
  now: Date
}

/** The visitor, the page and the envelope of a form. */
export interface FormSender {
  visit: Pick<Visit, 'visitor' | 'isCookieless'>
  page: string
  newId: () => string
  envelope: Envelope
}

const textField = (most: number) => z.string().trim().max(most, `Use at most ${most} characters.`)
/** The name that its author chose. */
const formName = textField(200).min(1, 'The form has no name. Reload its page.')

const signupFields = z.object({
  form: formName,
  email: textField(254).pipe(z.email('Write an address such as "ana@example.com".')),
  name: textField(100).default(''),
})

const signup: SiteForm = {
  fields: [
    { name: 'form' },
    { name: 'back' },
    { name: 'email', label: 'E-mail' },
    { name: 'name', label: 'Name' },
  ],
  read(fields) {
    const { success, data, error } = signupFields.safeParse(Object.fromEntries(fields))
    if (!success) return { isRight: false, mistakes: errorsByField(error) }
    return {
      isRight: true,
      form: data.form,
      keep: ({ subscriptions }, sender) => subscribe(data, subscriptions, sender),
      deliveries: (sender) => signupDeliveries(data, sender),
    }
  },
}

/**
 * The event belongs to the visitor, the e-mail address to the person. For a visitor with the site's cookie the address
 * becomes a property. A cookieless visitor has no lasting id, so the address becomes a separate person without a link to
 * the visitor. An unconfirmed address never merges two persons.
 */
function signupDeliveries(
  { form, email, name }: z.infer<typeof signupFields>,
  sender: FormSender,
): EventDelivery[] {
  const { envelope, newId } = sender
  const known = { visitor: signedUpId(email, sender), isCookieless: false }
  const identified = visitEvent(known, '$identify', newId(), {})
  const set: Properties = { email, ...(name !== '' && { name }) }
  return [
    { events: [formEvent(sender, 'signed up', { form })], envelope },
    // submitting an address is consent to store it, even if the browser sends an opt-out signal
    {
      events: [{ ...identified, person: { ...identified.person, set } }],
      envelope: { ...envelope, optedOut: false },
    },
  ]
}

const signedUpId = (email: string, { visit, envelope }: FormSender): string =>
  visit.isCookieless ? emailPersonId(envelope.projectId, email) : visit.visitor

/** A form that has the name of a list subscribes to it. */
async function subscribe(
  { form, email }: z.infer<typeof signupFields>,
  subscriptions: FormStores['subscriptions'],
  sender: FormSender,
): Promise<Outcome<{ confirms: boolean }>> {
  const { projectId, language } = sender.envelope
  const distinctId = signedUpId(email, sender)
  const confirms = await subscriptions.signUp({
    projectId,
    list: form,
    email,
    language: preferredLanguage(language),
    distinctId,
  })
  return { done: true, confirms }
}

const formEvent = ({ visit, page, newId }: FormSender, name: string, properties: Properties): IncomingEvent =>
  visitEvent(visit, name, newId(), { ...properties, $current_url: page })

const commentFields = newComment.extend({ post: textField(500) })

const comment: SiteForm = {
  fields: [
    { name: 'form' },
    { name: 'back' },
    { name: 'post' },
    { name: 'name', label: 'Name' },
    { name: 'text', label: 'Comment', isLong: true },
  ],
  read(fields) {
    const { success, data, error } = commentFields.safeParse(Object.fromEntries(fields))
    if (!success) return { isRight: false, mistakes: errorsByField(error) }
    return {
      isRight: true,
      form: 'comment',
      keep: (around, { envelope }) => writeComment(data, around, envelope.projectId),
      deliveries: (sender) => [
        { events: [formEvent(sender, 'commented', { post: data.post })], envelope: sender.envelope },
      ],
    }
  },
}

async function writeComment(
  { post: path, name, text }: z.infer<typeof commentFields>,
  { published, comments, now }: FormStores,
  projectId: number,
): Promise<Outcome> {
  const post = published.at(projectId, path, now)
  return post ? await comments.write(post, { name, text }) : failedOutcome('The post no longer exists.')
}

/** Returns one error for each field. */
function errorsByField(error: z.ZodError): Record<string, string> {
  const mistakes: Record<string, string> = {}
  for (const { path, message } of error.issues) mistakes[String(path[0])] ??= message
  return mistakes
}

/** Forms by the last part of their address. */
export const siteForms: ReadonlyMap<string, SiteForm> = new Map(Object.entries({ signup, comment }))
