import { type DropReason, dropReasons } from '#events/event'
import type { RefusedLiveRequest } from '#events/live-event'
import type { WireRefusal } from '#wire/dialect'

/** The explanation of an outcome, and its remedy. */
export interface LiveEventExplanation {
  title: string
  remedy: string
}

const shield = 'To count it, change the blocked IPs, countries or pages in Settings → Collection.'

const dropRemedies: Record<DropReason, string> = {
  bot: 'The project drops bots. Automated browsers count as bots: test with your own browser.',
  'spam-referrer': 'No action needed: these are not visitors.',
  'shielded-address': shield,
  'shielded-country': shield,
  'shielded-page': shield,
  'shielded-host': 'If the page is yours, add its hostname in Settings → Collection.',
  'opted-out':
    'The browser sends Do Not Track or Global Privacy Control, or the visitor opted out. Try another browser.',
  'no-name': 'Send an event name.',
  'no-distinct-id': 'Send a distinct id: server SDKs need one with every event.',
  'too-large': 'Send smaller properties.',
  malformed: 'Compare what is sent with the snippets of the Connect page.',
  replay: 'No action needed: all other events of the page are stored.',
  'not-collected': 'No action needed. To save requests, turn them off in the SDK.',
  'not-captured': 'No action needed. To collect it, choose it under Settings → Collection.',
  'over-quota': 'Raise the monthly event limit in Settings → Collection, or wait for next month.',
  'unknown-survey': 'Send the id of a survey of this project, or import the survey.',
  'survey-closed': 'Launch or resume the survey, or raise its limit of responses.',
  'survey-page-only': 'Send answers from the survey’s own page, or choose another placement.',
  'refused-answers': 'Its response said what was wrong.',
  'invalid-answer': 'Send a rating within its scale, and the type of value that the kind of question takes.',
  'too-many-answers': 'Check the survey’s branches, or the code that sends its answers, for a loop.',
}

/** Explains why a valid event was dropped. */
export const explainDrop = (reason: DropReason, hosts: readonly string[] = []): LiveEventExplanation => ({
  title: `Dropped: ${dropReasons[reason]}`,
  remedy:
    reason === 'shielded-host' && hosts.length > 0
      ? `Its hosts are ${hosts.join(', ')}. ${dropRemedies[reason]}`
      : dropRemedies[reason],
})

type ExplainedRefusal = WireRefusal['reason']

const refusalExplanations: Record<
  ExplainedRefusal,
  (named: string | undefined, key: string) => LiveEventExplanation
> = {
  'unknown-key': (named, key) => ({
    title: named ? `Refused: no project has the key “${named}”` : 'Refused: unknown project key',
    remedy: looksLikeKey(named)
      ? `This is not this project’s write key. Use ${key}`
      : `Add the project’s write key to the tag: ${key}`,
  }),
  'no-key': (_named, key) => ({
    title: 'Refused: no project key',
    remedy: `Add the project’s write key as in the snippet: ${key}`,
  }),
  unreadable: () => ({
    title: 'Refused: the request could not be read',
    remedy: 'A proxy may have changed it, or the client is not supported.',
  }),
  'too-large': () => ({
    title: 'Refused: the request was too large',
    remedy: 'Send fewer events at once, or less with each.',
  }),
  'mixed-keys': () => ({
    title: 'Refused: events for several projects in one request',
    remedy: 'Send one request per project.',
  }),
  'not-now': () => ({
    title: 'Refused: too many at once',
    remedy: 'No action needed: this client sends it again. The server had no room at that moment.',
  }),
  lost: () => ({
    title: 'Lost: too many at once',
    remedy:
      'This client does not send again what is refused. The server had no room at that moment: give it more processors or disk.',
  }),
  'survey-answers': (problem) => ({
    title: 'Refused: answers to a survey',
    remedy: `The response said: ${problem ?? 'they could not be accepted.'}`,
  }),
}

const looksLikeKey = (named = ''): boolean => named.startsWith('phc_')

const isReason = (reason: string): reason is ExplainedRefusal => Object.hasOwn(refusalExplanations, reason)

/** The words for a request that was turned away whole. */
export const explainRefusal = ({ reason, named }: RefusedLiveRequest, key: string): LiveEventExplanation =>
  isReason(reason)
    ? refusalExplanations[reason](named, key)
    : { title: `Refused: ${reason}`, remedy: 'Compare what is sent with the snippets of the Connect page.' }

/** The same in short, where it already says that it was refused. */
export const refusalLabel = (liveEvent: RefusedLiveRequest): string =>
  explainRefusal(liveEvent, '').title.replace(/^Refused: /, '')
