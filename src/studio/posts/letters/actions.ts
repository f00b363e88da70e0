'use server'

import { csvOf } from '#insights/csv'
import { createNumberCohort } from '#studio/numbers/number-cohort'
import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { asFormData, asText } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'

export async function saveLetterSettings(slug: unknown, formData: unknown): Promise<ActionResult> {
  const form = asFormData(formData)
  const input = {
    senderName: asText(form.get('senderName')),
    replyTo: asText(form.get('replyTo')),
    postalAddress: asText(form.get('postalAddress')),
    bounceAddress: asText(form.get('bounceAddress')),
    perMinute: Number(asText(form.get('perMinute'))),
  }
  const answer = await runProjectChange(slug, ({ letters: { subscriptions } }, projectId, viewer) =>
    subscriptions.changeSettings(projectId, input, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function createList(slug: unknown, formData: unknown): Promise<ActionResult> {
  const form = asFormData(formData)
  const input = { key: asText(form.get('key')), name: asText(form.get('name')) }
  const answer = await runProjectChange(slug, ({ letters: { subscriptions } }, projectId, viewer) =>
    subscriptions.createList(projectId, input, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function setListOpen(slug: unknown, list: unknown, isOpen: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ letters: { subscriptions } }, projectId, viewer) =>
    subscriptions.changeList(projectId, asText(list), { isOpen: isOpen === true }, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

interface ImportReport {
  added: number
  known: number
  left: number
  unreadable: number
}

export async function importSubscribers(
  slug: unknown,
  list: unknown,
  formData: unknown,
): Promise<ActionResult<ImportReport>> {
  const form = asFormData(formData)
  const input = { addresses: asText(form.get('addresses')), consent: asText(form.get('consent')) }
  const answer = await runProjectChange(slug, ({ letters: { subscriptions } }, projectId, viewer) =>
    subscriptions.importAddresses(projectId, asText(list), input, viewer),
  )
  return mapOutcome(answer, ({ added, known, left, unreadable }) => ({
    added,
    known,
    left,
    unreadable: unreadable.length,
  }))
}

export async function exportSubscribers(
  slug: unknown,
  list: unknown,
): Promise<ActionResult<{ csv: string }>> {
  const answer = await runProjectChange(slug, ({ letters: { subscriptions } }, projectId, viewer) =>
    subscriptions.exportList(projectId, asText(list), viewer),
  )
  return mapOutcome(answer, ({ rows: [head = [], ...rows] }) => ({
    csv: csvOf({ columns: head.map((name) => ({ name, as: 'text' as const })), rows }),
  }))
}

export async function removeSubscriber(slug: unknown, subscriber: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ letters: { subscriptions } }, projectId, viewer) =>
    subscriptions.remove(projectId, asText(subscriber), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export interface ShownLetter {
  subject: string
  text: string
  /** A whole document, as mail programs show it. */
  html: string
  recipients: number
}

export async function previewLetter(slug: unknown, input: unknown): Promise<ActionResult<ShownLetter>> {
  const answer = await runProjectChange(slug, ({ letters }, projectId, viewer) =>
    letters.preview(projectId, input, viewer),
  )
  return mapOutcome(answer, ({ letter: { subject, text, html }, recipients }) => ({
    subject,
    text,
    html,
    recipients,
  }))
}

export async function sendTestLetter(
  slug: unknown,
  input: unknown,
): Promise<ActionResult<{ address: string }>> {
  const answer = await runProjectChange(slug, ({ letters }, projectId, viewer) =>
    letters.test(projectId, input, viewer),
  )
  return mapOutcome(answer, ({ address }) => ({ address }))
}

export async function sendLetter(slug: unknown, input: unknown): Promise<ActionResult<{ id: string }>> {
  const answer = await runProjectChange(slug, ({ letters }, projectId, viewer) =>
    letters.send(projectId, input, viewer),
  )
  return mapOutcome(answer, ({ letter: { id } }) => ({ id }))
}

/** Makes a cohort of the people behind a number, to write to the subscribers among them. */
export async function createRecipientCohort(
  slug: unknown,
  cohort: unknown,
): Promise<ActionResult<{ id: string }>> {
  const answer = await runProjectChange(slug, (product, projectId, viewer) =>
    createNumberCohort(product, projectId, cohort, viewer),
  )
  return mapOutcome(answer, (made) => ({ id: made.cohort.id }))
}

export async function cancelLetter(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ letters }, projectId, viewer) =>
    letters.cancel(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}
