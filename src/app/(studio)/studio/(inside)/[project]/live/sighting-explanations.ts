import { type DropReason, dropReasons } from '#events/event'
import type { RefusedLiveRequest } from '#events/live-event'
import type { WireRefusal } from '#wire/dialect'

/** What happened, and what can be done about it. */
export interface SightingExplanation {
  title: string
  remedy: string
}

const shield = 'If it should count, change the project’s shield.'

const dropRemedies: Record<DropReason, string> = {
  bot: 'The project keeps no robots. Browsers driven by a program are robots as well: look with one of your own.',
  'spam-referrer': 'Nothing to do: requests from there are not visitors.',
  'shielded-address': shield,
  'shielded-country': shield,
  'shielded-page': shield,
  'shielded-host': 'If that page is one of yours, add its host to the project’s.',
  'opted-out':
    'The browser asks for it (Do Not Track or Global Privacy Control), or the visitor chose it. Look with another browser.',
  'no-name': 'Give the event a name where it is sent.',
  'no-distinct-id': 'Say whose it is: an SDK for servers needs a distinct id with every event.',
  'too-large': 'Send less with it: properties are for facts, not for documents.',
  malformed: 'Compare what is sent with the snippets of the Connect page.',
  replay: 'Nothing to do: every other event of the same page is kept.',
  'not-collected':
    'Nothing to do; or turn them off where the SDK is set up, and spare visitors the requests.',
  'over-quota': 'Raise the number of events a month in Settings → Collection, or wait for the next month.',
  'unknown-survey': 'Answers belong to a survey of this project: copy its id, or import the survey.',
  'survey-closed': 'Launch or resume the survey, or raise its limit of responses.',
  'invalid-answer': 'Send a rating within its scale, and the type of value that the kind of question takes.',
  'too-many-answers': 'Look for a loop in the branches of the survey, or in the code that sends its answers.',
}

/** Explains why a valid event was dropped. */
export const explainDrop = (reason: DropReason, hosts: readonly string[] = []): SightingExplanation => ({
  title: `Dropped: ${dropReasons[reason]}`,
  remedy:
    reason === 'shielded-host' && hosts.length > 0
      ? `Its hosts are ${hosts.join(', ')}. ${dropRemedies[reason]}`
      : dropRemedies[reason],
})

type ExplainedRefusal = WireRefusal['reason']

const refusalExplanations: Record<
  ExplainedRefusal,
  (named: string | undefined, key: string) => SightingExplanation
> = {
  'unknown-key': (named, key) => ({
    title: named ? `Refused: no project is known as “${named}”` : 'Refused: it named no project of yours',
    remedy: looksLikeKey(named)
      ? `That key is not this project’s. Copy the right one: ${key}`
      : `Put the project’s write key into the tag: ${key}`,
  }),
  'no-key': (_named, key) => ({
    title: 'Refused: it named no project at all',
    remedy: `Put the project’s write key where the snippet has it: ${key}`,
  }),
  unreadable: () => ({
    title: 'Refused: the request could not be read',
    remedy: 'Something on its way may have changed it, or what sends it is no client that is known here.',
  }),
  'too-large': () => ({
    title: 'Refused: the request was too large',
    remedy: 'Send fewer events at once, or less with each.',
  }),
  'mixed-keys': () => ({
    title: 'Refused: one request held events for several projects',
    remedy: 'Send each project’s events in requests of their own.',
  }),
}

const looksLikeKey = (named = ''): boolean => named.startsWith('phc_')

const isReason = (reason: string): reason is ExplainedRefusal => Object.hasOwn(refusalExplanations, reason)

/** The words for a request that was turned away whole. */
export const explainRefusal = ({ reason, named }: RefusedLiveRequest, key: string): SightingExplanation =>
  isReason(reason)
    ? refusalExplanations[reason](named, key)
    : { title: `Refused: ${reason}`, remedy: 'Compare what is sent with the snippets of the Connect page.' }

/** The same in short, where it already says that it was refused. */
export const refusalLabel = (sighting: RefusedLiveRequest): string =>
  explainRefusal(sighting, '').title.replace(/^Refused: /, '')
