'use server'

import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { asFormData, asText } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'

interface MadeLink {
  id: string
  address: string
  label: string
  email: string
  distinctId: string
}

/** The addresses of the links are sent to the browser once; only hashes are stored. */
export async function createLinks(
  slug: unknown,
  id: unknown,
  formData: unknown,
): Promise<ActionResult<{ links: MadeLink[] }>> {
  const form = asFormData(formData)
  const people = asText(form.get('people'))
    .split('\n')
    .filter((line) => line.trim() !== '')
  const expires = asText(form.get('days'))
  const input = {
    ...(people.length > 0
      ? { recipients: people.map(recipientIn) }
      : { count: Number(asText(form.get('count'))) }),
    ...(expires !== '' && { expiresAt: afterDays(expires) }),
  }
  const answer = await runProjectChange(slug, ({ surveys: { links: surveyLinks } }, projectId, viewer) =>
    surveyLinks.create(projectId, asText(id), input, viewer),
  )
  return mapOutcome(answer, ({ links }) => ({
    links: links.map(({ id: link, address, label, email = '', distinctId = '' }) => ({
      id: link,
      address,
      label,
      email,
      distinctId,
    })),
  }))
}

const dayMs = 86_400_000

/** The time after so many days; the text itself where that is no time, which the schema refuses. */
function afterDays(days: string): string {
  const at = new Date(Date.now() + Number(days) * dayMs)
  return Number.isNaN(at.getTime()) ? days : at.toISOString()
}

/** “Ana, ana@example.com, user-7”: a label, then an address or a distinct id in any order. */
function recipientIn(line: string) {
  const [label = '', ...rest] = line.split(',').map((part) => part.trim())
  const email = rest.find((part) => part.includes('@'))
  const distinctId = rest.find((part) => part !== '' && part !== email)
  return { label, ...(email && { email }), ...(distinctId && { distinctId }) }
}

export async function revokeLink(slug: unknown, id: unknown, link: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ surveys: { links: surveyLinks } }, projectId, viewer) =>
    surveyLinks.revoke(projectId, asText(id), asText(link), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function saveRecipients(slug: unknown, id: unknown, notify: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ surveys }, projectId, viewer) =>
    surveys.change(projectId, asText(id), { notify }, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function setWebhook(
  slug: unknown,
  id: unknown,
  formData: unknown,
): Promise<ActionResult<{ secret: string }>> {
  const url = asText(asFormData(formData).get('url'))
  const answer = await runProjectChange(
    slug,
    ({ surveys: { webhooks: surveyWebhooks } }, projectId, viewer) =>
      surveyWebhooks.set(projectId, asText(id), { url }, viewer),
  )
  return mapOutcome(answer, ({ secret }) => ({ secret }))
}

export async function removeWebhook(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(
    slug,
    ({ surveys: { webhooks: surveyWebhooks } }, projectId, viewer) =>
      surveyWebhooks.remove(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function testWebhook(
  slug: unknown,
  id: unknown,
): Promise<ActionResult<{ delivered: boolean; outcome: string }>> {
  const answer = await runProjectChange(
    slug,
    ({ surveys: { webhooks: surveyWebhooks } }, projectId, viewer) =>
      surveyWebhooks.test(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, ({ delivered, outcome }) => ({ delivered, outcome }))
}

export interface ShownPreview {
  text: string
  recipients: number
  left: { address: string; why: string }[]
}

export async function previewLetters(
  slug: unknown,
  id: unknown,
  formData: unknown,
): Promise<ActionResult<{ preview: ShownPreview }>> {
  const input = lettersIn(asFormData(formData))
  const answer = await runProjectChange(
    slug,
    ({ surveys: { mailings: surveyMailings } }, projectId, viewer) =>
      surveyMailings.preview(projectId, asText(id), input, viewer),
  )
  return mapOutcome(answer, ({ letter: { text }, recipients, left }) => ({
    preview: { text, recipients, left: [...left] },
  }))
}

export async function sendLetters(
  slug: unknown,
  id: unknown,
  formData: unknown,
): Promise<ActionResult<{ recipients: number }>> {
  const input = lettersIn(asFormData(formData))
  const answer = await runProjectChange(
    slug,
    ({ surveys: { mailings: surveyMailings } }, projectId, viewer) =>
      surveyMailings.send(projectId, asText(id), input, viewer),
  )
  return mapOutcome(answer, ({ recipients }) => ({ recipients }))
}

const lettersIn = (form: FormData) => ({
  subject: asText(form.get('subject')),
  message: asText(form.get('message')),
  addresses: asText(form.get('addresses')),
  cohort: asText(form.get('cohort')) || undefined,
})
