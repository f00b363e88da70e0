import { hash } from 'node:crypto'
import { z } from 'zod'
import type { Envelope, IncomingEvent, Properties } from '../events/event'
import { newComment } from '../posts/comment'
import type { Comments } from '../posts/comments'
import type { Published } from '../posts/published'
import { type Outcome, undone } from '../projects/problems'
import { anEventOf } from '../visits/views'
import type { Visit } from '../visits/visit'
import type { Delivered } from '../wire/dialect'

/** A kind of form that pages of a site have, and what becomes of what it brings. */
export interface SiteForm {
  /** What is kept of it where it is shown again. Without a label a field is not to be seen. */
  fields: readonly { name: string; label?: string; isLong?: true }[]
  read(fields: URLSearchParams): FormRead
}

export type FormRead =
  | { isRight: false; mistakes: Readonly<Record<string, string>> }
  | {
      isRight: true
      form: string
      deliveries: (sender: Sender) => Delivered[]
      /** What is written down of it besides events, and before them. */
      keep?: (around: Kept, projectId: number) => Promise<Outcome>
    }

/** Where a form may write something down. */
export interface Kept {
  published: Pick<Published, 'at'>
  comments: Pick<Comments, 'write'>
  now: Date
}

/** Who sent it, from which page, and how it came. */
export interface Sender {
  visit: Pick<Visit, 'visitor' | 'isCookieless'>
  page: string
  newId: () => string
  envelope: Envelope
}

const words = (most: number) => z.string().trim().max(most, `Use at most ${most} characters.`)
/** As its author called it. */
const formName = words(200).min(1, 'The form has no name. Load its page anew.')

const signupFields = z.object({
  form: formName,
  email: words(254).pipe(z.email('Write an address such as "ana@example.com".')),
  name: words(100).default(''),
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
    if (!success) return { isRight: false, mistakes: mistakesIn(error) }
    return { isRight: true, form: data.form, deliveries: (sender) => signupOf(data, sender) }
  },
}

/**
 * The event is the visitor's, like their views. The address is the person's alone: of a visitor of the site's cookie it
 * becomes a property. One without an id is nobody tomorrow, so the address stands for a person of its own, whom nothing
 * ties to that visitor. An address that nobody has confirmed never makes one person of two.
 */
function signupOf({ form, email, name }: z.infer<typeof signupFields>, sender: Sender): Delivered[] {
  const { visit, envelope, newId } = sender
  const known = visit.isCookieless ? { visitor: standInFor(email, envelope), isCookieless: false } : visit
  const identified = anEventOf(known, '$identify', newId(), {})
  const set: Properties = { email, ...(name !== '' && { name }) }
  return [
    { events: [sentBy(sender, 'signed up', { form })], envelope },
    // whoever leaves an address wishes to be known by it, even where the browser asks not to be followed
    {
      events: [{ ...identified, person: { ...identified.person, set } }],
      envelope: { ...envelope, optedOut: false },
    },
  ]
}

const standInFor = (email: string, { projectId }: Envelope): string =>
  hash('sha256', `signed up ${projectId} ${email.toLowerCase()}`, 'base64url')

const surveyFields = z.object({
  form: formName,
  question: words(500).default(''),
  kind: z.enum(['nps', 'rating', 'choice', 'open']).catch('open'),
  answer: z
    .array(words(5000))
    .transform((answers) => answers.filter((answer) => answer !== ''))
    .pipe(z.array(z.string()).min(1, 'Answer the question first.').max(50, 'Choose at most 50 answers.')),
})

const survey: SiteForm = {
  fields: [
    { name: 'form' },
    { name: 'back' },
    { name: 'question' },
    { name: 'kind' },
    { name: 'answer', label: 'Your answer' },
  ],
  read(fields) {
    const said = { ...Object.fromEntries(fields), answer: fields.getAll('answer') }
    const { success, data, error } = surveyFields.safeParse(said)
    if (!success) return { isRight: false, mistakes: mistakesIn(error) }
    const response = responseOf(data)
    if (response === undefined)
      return { isRight: false, mistakes: { answer: 'Choose one of the numbers from 0 to 10.' } }
    return {
      isRight: true,
      form: data.form,
      deliveries: (sender) => [{ events: [answeredBy(sender, data, response)], envelope: sender.envelope }],
    }
  },
}

type Response = number | string | string[]

/** Numbers where the question asks for one; undefined for one that cannot be meant. */
function responseOf({ kind, answer }: z.infer<typeof surveyFields>): Response | undefined {
  const [first = ''] = answer
  if (kind !== 'nps' && kind !== 'rating') return answer.length > 1 ? answer : first
  return /^(?:10|\d)$/.test(first) ? Number(first) : undefined
}

/** In PostHog's words, so that an answer given here is one among those that its SDKs send. */
function answeredBy(
  sender: Sender,
  { form, question }: z.infer<typeof surveyFields>,
  response: Response,
): IncomingEvent {
  const event = sentBy(sender, 'survey sent', {
    $survey_id: form,
    $survey_question: question,
    $survey_response: response,
    $survey_questions: [{ id: form, question, response }],
    $survey_submission_id: sender.newId(),
    $survey_completed: true,
  })
  return { ...event, person: { ...event.person, set: { [`$survey_responded/${form}`]: true } } }
}

const sentBy = ({ visit, page, newId }: Sender, name: string, properties: Properties): IncomingEvent =>
  anEventOf(visit, name, newId(), { ...properties, $current_url: page })

const commentFields = newComment.extend({ post: words(500) })

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
    if (!success) return { isRight: false, mistakes: mistakesIn(error) }
    return {
      isRight: true,
      form: 'comment',
      keep: (around, projectId) => writeBelow(data, around, projectId),
      deliveries: (sender) => [
        { events: [sentBy(sender, 'commented', { post: data.post })], envelope: sender.envelope },
      ],
    }
  },
}

async function writeBelow(
  { post: path, name, text }: z.infer<typeof commentFields>,
  { published, comments, now }: Kept,
  projectId: number,
): Promise<Outcome> {
  const post = published.at(projectId, path, now)
  return post ? await comments.write(post, { name, text }) : undone('The post is not there any more.')
}

/** By the names of the fields, one for each. */
function mistakesIn(error: z.ZodError): Record<string, string> {
  const mistakes: Record<string, string> = {}
  for (const { path, message } of error.issues) mistakes[String(path[0])] ??= message
  return mistakes
}

/** By the last part of the address they are sent to. */
export const siteForms: ReadonlyMap<string, SiteForm> = new Map(Object.entries({ signup, survey, comment }))
