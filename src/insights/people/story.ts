import { isAuxiliaryEvent } from '#events/taxonomy'
import { valueName } from '#events/value-names'

/** The facts about a person that their story is made of. */
export interface StoryFacts {
  /** The origin of their first visit; empty without one. */
  channel: string
  source: string
  lastPage: { path: string; title: string }
  /** The number of different pages. */
  pages: number
  /** The names of the events that a site or an app sends for itself. */
  events: readonly string[]
  variants: readonly { flag: string; variant: string }[]
  /** The names of the surveys that they answered. */
  surveys: readonly string[]
}

/** Reads a part of a story from the facts; undefined if there is none. */
type StoryRule = (facts: StoryFacts) => string | undefined

/** The rules in the order of a story. */
const storyRules: readonly StoryRule[] = [fromWhere, readPages, didThings, sawVariants, answeredSurveys]

/** Tells a person's story, whole: "From ChatGPT, read “Boards 2”, signed up, saw variant B of headline". */
export function storyOf(facts: StoryFacts): string {
  return sentence(partsOf(facts))
}

const listLength = 90

/** Tells a story in a line of a list. Later parts are left out where they do not fit; a single long one is cut by the page. */
export function shortStoryOf(facts: StoryFacts): string {
  const parts = partsOf(facts)
  const fitting = parts.findIndex((_, index) => sentence(parts.slice(0, index + 1)).length > listLength)
  return sentence(fitting < 0 ? parts : parts.slice(0, Math.max(fitting, 1)))
}

const partsOf = (facts: StoryFacts): string[] => storyRules.flatMap((rule) => rule(facts) ?? [])

const sentence = (parts: readonly string[]): string => {
  const text = parts.join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function fromWhere({ channel, source }: StoryFacts): string | undefined {
  if (channel === '') return undefined
  if (channel === 'Direct' || source === '') return channel === 'Direct' ? 'came directly' : `from ${channel}`
  return `from ${valueName('source', source)}`
}

function readPages({ lastPage: { path, title }, pages }: StoryFacts): string | undefined {
  if (pages === 0) return undefined
  const page = title ? `“${shortened(title)}”` : path
  if (pages === 1) return `read ${page}`
  return `read ${page} and ${pages - 1} more`
}

const mostNamed = 2

function didThings({ events }: StoryFacts): string | undefined {
  const own = events.filter((name) => !name.startsWith('$') && !isAuxiliaryEvent(name))
  const ranked = own.toSorted((one, other) => rankOf(one) - rankOf(other) || one.localeCompare(other, 'en'))
  const phrases = [...new Set(ranked.map(phraseOf))]
  return joined(phrases)
}

function sawVariants({ variants }: StoryFacts): string | undefined {
  const seen = variants.filter(({ variant }) => !['', 'true', 'false'].includes(variant))
  return joined(seen.map(({ flag, variant }) => `saw ${variantName(variant)} of ${flag}`))
}

function answeredSurveys({ surveys }: StoryFacts): string | undefined {
  return joined(surveys.map((name) => (name === '' ? 'answered a survey' : `answered “${shortened(name)}”`)))
}

const joined = (phrases: readonly string[]): string | undefined =>
  phrases.length === 0 ? undefined : phrases.slice(0, mostNamed).join(', ')

/** Names of events for the same thing, and the words for it. They are told before all others. */
const phrases: readonly { names: readonly string[]; phrase: string }[] = [
  {
    phrase: 'signed up',
    names: ['signup', 'sign_up', 'user_signed_up', 'register', 'registered', 'account_created'],
  },
  {
    phrase: 'bought',
    names: ['purchase', 'buy', 'order_completed', 'checkout_completed', 'payment_succeeded'],
  },
  { phrase: 'subscribed', names: ['subscribe', 'subscription_created', 'subscription_started'] },
  { phrase: 'began a trial', names: ['trial', 'start_trial', 'trial_started'] },
  { phrase: 'was activated', names: ['activated', 'activation'] },
  { phrase: 'signed in', names: ['login', 'log_in', 'sign_in', 'user_logged_in', 'logged_in'] },
]

const rankOf = (name: string): number => {
  const index = phrases.findIndex(({ names }) => names.includes(plainName(name)))
  return index < 0 ? phrases.length : index
}

/** "Order Completed", "order-completed" and "orderCompleted" are one name. */
const plainName = (name: string): string =>
  name
    .trim()
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s.:-]+/g, '_')
    .toLowerCase()

/** An event that is named in the past stays as it is: "board created", but "did export". */
function phraseOf(name: string): string {
  const known = phrases[rankOf(name)]
  if (known) return known.phrase
  const words = plainName(name).replaceAll('_', ' ')
  return /(?:^| )[a-z]+[^e]ed(?: |$)/.test(words) ? shortened(words) : `did ${shortened(words)}`
}

/** Variants of letters and of few characters read better with the word: "variant B". */
const variantName = (variant: string): string =>
  variant.length <= 2 ? `variant ${variant.toUpperCase()}` : `“${shortened(variant)}”`

const longest = 40

const shortened = (text: string): string =>
  Array.from(text).length > longest ? `${Array.from(text).slice(0, longest).join('').trimEnd()}…` : text
