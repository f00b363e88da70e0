import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { letterInput, type LetterReport } from '#letters/letters'
import { letterSettings } from '#letters/letter-settings'
import { deliveryStates, type LetterFigures } from '#letters/letter'
import { bounceInput } from '#letters/sending/letter-replies'
import { type Subscriber, subscriberStates } from '#letters/subscribers/subscriber'
import {
  importInput,
  listChangeInput,
  newListInput,
  subscriberFilter,
} from '#letters/subscribers/subscriptions'
import { failedOutcome } from '#projects/problems'
import { type Endpoint, mapOutcome, nothing, success } from './endpoint'

const figuresShape = z.object({
  recipients: z.number(),
  waiting: z.number(),
  delivered: z.number(),
  clicked: z.number(),
  unsubscribed: z.number(),
  bounced: z.number(),
  failed: z.number(),
  uncertain: z.number(),
})

const letterShape = z
  .object({
    id: z.string(),
    post: z.string(),
    list: z.string(),
    cohort: z.string().optional(),
    state: z.enum(['scheduled', 'sending', 'sent', 'cancelled']),
    title: z.string(),
    subjects: z.array(z.object({ key: z.string(), text: z.string(), figures: figuresShape.optional() })),
    trial: z
      .object({
        share: z.number(),
        hours: z.number(),
        endsAt: instant.optional(),
        winner: z.string().optional(),
        chances: z.record(z.string(), z.number()).optional(),
      })
      .optional(),
    problem: z.string().optional(),
    createdBy: z.string(),
    createdAt: instant,
    scheduledAt: instant,
    startedAt: instant.optional(),
    finishedAt: instant.optional(),
    figures: figuresShape,
  })
  .meta({ id: 'Letter' })

const figuresBody = ({ variant: _variant, ...figures }: LetterFigures) => figures

function letterBody(letter: LetterReport) {
  const { projectId: _project, postId, content, figures, variants, ...rest } = letter
  return {
    ...rest,
    post: postId,
    title: content.title,
    subjects: content.subjects.map(({ key, text }) => {
      const own = variants.find(({ variant }) => variant === key)
      return { key, text, ...(own && { figures: figuresBody(own) }) }
    }),
    figures: figuresBody(figures),
  }
}

const subscriberShape = z
  .object({
    id: z.string(),
    address: z.string().optional(),
    state: z.enum(subscriberStates),
    distinctId: z.string().optional(),
    source: z.enum(['form', 'import']),
    consent: z.string().optional(),
    language: z.string().optional(),
    createdAt: instant,
    changedAt: instant,
    confirmedAt: instant.optional(),
  })
  .meta({ id: 'Subscriber' })

const subscriberBody = ({
  projectId: _project,
  list: _list,
  addressHash: _hash,
  askedAt: _asked,
  mailDueAt: _due,
  mailAttempts: _attempts,
  ...subscriber
}: Subscriber) => subscriber

const listShape = z
  .object({ key: z.string(), name: z.string(), isOpen: z.boolean() })
  .meta({ id: 'LetterList' })
const countsShape = z.record(z.enum(subscriberStates), z.number())

const letters = '/projects/{project}/letters'
const lists = '/projects/{project}/letter-lists'

const letterEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: letters,
    summary: 'List letters with their figures',
    right: 'letters:read',
    responseSchema: z.object({ letters: z.array(letterShape) }),
    handle: async ({ product, viewer, project }) =>
      success({ letters: (await product.letters.list(project().id, viewer)).map(letterBody) }),
  },
  {
    method: 'POST',
    path: `${letters}/preview`,
    summary: 'Render a post as a letter, and count its recipients',
    right: 'letters:write',
    input: letterInput,
    responseSchema: z.object({
      letter: z.object({ subject: z.string(), text: z.string(), html: z.string() }),
      recipients: z.number(),
    }),
    handle: async ({ product, viewer, project, input }) =>
      mapOutcome(await product.letters.preview(project().id, input, viewer), ({ letter, recipients }) => ({
        letter,
        recipients,
      })),
  },
  {
    method: 'POST',
    path: letters,
    summary: 'Send a post to the subscribers of a list, now or later',
    right: 'letters:write',
    input: letterInput,
    responseSchema: z.object({ id: z.string(), scheduledAt: instant, recipients: z.number() }),
    status: 201,
    handle: async ({ product, viewer, project, input }) =>
      mapOutcome(
        await product.letters.send(project().id, input, viewer),
        ({ letter: { id, scheduledAt }, recipients }) => ({ id, scheduledAt, recipients }),
      ),
  },
  {
    method: 'GET',
    path: `${letters}/{letter}`,
    summary: 'Read a letter, with deliveries that did not go well',
    right: 'letters:read',
    responseSchema: z.object({
      letter: letterShape,
      troubles: z.array(
        z.object({
          id: z.string(),
          state: z.enum(deliveryStates),
          address: z.string().optional(),
          outcome: z.string().optional(),
        }),
      ),
    }),
    handle: async ({ product, viewer, project, pathParameter }) => {
      const found = await product.letters.find(project().id, pathParameter('letter'), viewer)
      if (!found) return failedOutcome('There is no such letter.')
      return success({ letter: letterBody(found.letter), troubles: found.troubles })
    },
  },
  {
    method: 'POST',
    path: `${letters}/{letter}/cancel`,
    summary: 'Cancel a letter: no further one goes out',
    right: 'letters:write',
    input: nothing,
    responseSchema: nothing,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(await product.letters.cancel(project().id, pathParameter('letter'), viewer), () => ({})),
  },
  {
    method: 'POST',
    path: `${letters}/bounces`,
    summary: 'Take a delivery status notification or a report of abuse, as raw text',
    right: 'letters:write',
    input: bounceInput,
    responseSchema: z.object({ kind: z.enum(['bounce', 'delayed', 'complaint']), deliveries: z.number() }),
    handle: async ({ product, viewer, project, input }) =>
      mapOutcome(
        await product.letters.replies.takeBounce(project().id, input, viewer),
        ({ kind, deliveries }) => ({ kind, deliveries }),
      ),
  },
  {
    method: 'GET',
    path: '/projects/{project}/letter-settings',
    summary: 'Read how letters are sent',
    right: 'letters:read',
    responseSchema: z.object({ settings: letterSettings }),
    handle: async ({ product, viewer, project }) =>
      success({ settings: await product.letters.subscriptions.settings(project().id, viewer) }),
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/letter-settings',
    summary: 'Change how letters are sent',
    right: 'letters:write',
    input: letterSettings.partial(),
    responseSchema: z.object({ settings: letterSettings }),
    handle: async ({ product, viewer, project, input }) =>
      mapOutcome(
        await product.letters.subscriptions.changeSettings(project().id, input, viewer),
        ({ settings }) => ({
          settings,
        }),
      ),
  },
]

const listEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: lists,
    summary: 'List the lists of subscribers, with counts by state',
    right: 'letters:read',
    responseSchema: z.object({ lists: z.array(listShape.extend({ counts: countsShape })) }),
    handle: async ({ product, viewer, project }) =>
      success({ lists: await product.letters.subscriptions.lists(project().id, viewer) }),
  },
  {
    method: 'POST',
    path: lists,
    summary: 'Create a list; forms of its key subscribe to it',
    right: 'letters:write',
    input: newListInput,
    responseSchema: z.object({ list: listShape }),
    status: 201,
    handle: async ({ product, viewer, project, input }) =>
      mapOutcome(await product.letters.subscriptions.createList(project().id, input, viewer), ({ list }) => ({
        list,
      })),
  },
  {
    method: 'PATCH',
    path: `${lists}/{list}`,
    summary: 'Rename, open or close a list',
    right: 'letters:write',
    input: listChangeInput,
    responseSchema: z.object({ list: listShape }),
    handle: async ({ product, viewer, project, input, pathParameter }) =>
      mapOutcome(
        await product.letters.subscriptions.changeList(project().id, pathParameter('list'), input, viewer),
        ({ list }) => ({ list }),
      ),
  },
  {
    method: 'GET',
    path: `${lists}/{list}/subscribers`,
    summary: 'List subscribers, 50 a page',
    right: 'letters:read',
    query: subscriberFilter.partial(),
    responseSchema: z.object({ subscribers: z.array(subscriberShape), hasMore: z.boolean() }),
    handle: async ({ product, viewer, project, query, pathParameter }) =>
      mapOutcome(
        await product.letters.subscriptions.subscribers(
          project().id,
          pathParameter('list'),
          Object.fromEntries(query),
          viewer,
        ),
        ({ subscribers, hasMore }) => ({ subscribers: subscribers.map(subscriberBody), hasMore }),
      ),
  },
  {
    method: 'POST',
    path: `${lists}/{list}/import`,
    summary: 'Import addresses that agreed elsewhere; those that unsubscribed stay unsubscribed',
    right: 'subscribers:write',
    input: importInput,
    responseSchema: z.object({
      added: z.number(),
      known: z.number(),
      left: z.number(),
      unreadable: z.array(z.string()),
    }),
    handle: async ({ product, viewer, project, input, pathParameter }) =>
      mapOutcome(
        await product.letters.subscriptions.importAddresses(
          project().id,
          pathParameter('list'),
          input,
          viewer,
        ),
        ({ added, known, left, unreadable }) => ({ added, known, left, unreadable: [...unreadable] }),
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/subscribers/{subscriber}',
    summary: 'Remove a subscriber',
    right: 'subscribers:write',
    responseSchema: nothing,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.letters.subscriptions.remove(project().id, pathParameter('subscriber'), viewer),
        () => ({}),
      ),
  },
]

export const newsletterEndpoints: readonly Endpoint[] = [...letterEndpoints, ...listEndpoints]
