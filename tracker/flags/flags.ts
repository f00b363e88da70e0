import { flagElements, showAs } from './flag-elements'
import { keep, recall, renewed, shownValue, type FlagDecision, type KeptFlags } from './kept-flags'

/** The words of a call: the key of a flag, and before the tag was there the function that resolves the promise. */
export type CallWords = [key?: string, answer?: (value: unknown) => void]

/** The tag lends its project, its storage, how it records, and who the visitor is. */
type PageContext = [
  project: string | undefined,
  store: Record<string, string>,
  record: (name: string, props: object) => unknown,
  visitor: () => string | undefined,
]

interface Batch {
  keys: Set<string>
  answered: Promise<void>
}

/** The answer of our own endpoint. */
interface FlagsResponse {
  flags: Record<string, boolean | string>
  payloads: Record<string, unknown>
  undecided: string[]
  /** Of those decisions that may be kept and counted: a forced one may not. */
  versions: Record<string, number>
}

/** A call without an answer resolves after this time. */
const longestMs = 3000

let [project, store, record, visitor]: PageContext = [undefined, {}, () => {}, () => undefined]
let kept: KeptFlags
/** The decisions of this page. They stay while it is seen, so that it does not flicker. */
let decided = new Map<string, FlagDecision | undefined>()
/** The flags that the next request is for. */
let batch: Batch | undefined
/** The requests whose answers are awaited, by flag. */
let pending = new Map<string, Promise<void>>()
/** Rises when the visitor becomes another: answers about the one before are dropped. */
let round = 0

/** The elements that were decided here for this visitor; the form for the head decides them before, by what is kept. */
let drawn = new WeakSet<Element>()
let isBegun = false

/** Begins with the values that the last page kept, and renews them for the next one. */
function begin(lent: PageContext): void {
  if (isBegun) return
  isBegun = true
  ;[project, store, record, visitor] = lent
  meet()
  decideElements()
  new MutationObserver(() => decideElements()).observe(document, { childList: true, subtree: true })
  const { tilth } = window
  if (!tilth) return
  const identify = tilth.identify.bind(tilth)
  tilth.identify = (id, props) => {
    identify(id, props)
    meet()
    decideElements()
  }
}

/** Takes up what is kept for the visitor. */
function meet(): void {
  round++
  batch = undefined
  pending = new Map()
  drawn = new WeakSet()
  kept = recall(store, visitor())
  decided = new Map(kept.flags)
  publish()
  // while the page has not said who its visitor is, what was decided for a known one stays
  const isYetUnknown = kept.of && visitor() === undefined
  if (decided.size && !isYetUnknown)
    ask([...decided.keys()]).then(remember, () => {
      // Tilth is away: the next page begins with what is kept
    })
}

/** The values that are known now, for who cannot wait. */
function publish(): void {
  const values = [...decided].flatMap(([key, decision]) => (decision ? [[key, decision.value] as const] : []))
  if (window.tilth) window.tilth.flags = new Map(values)
}

type FlagCall = (words: CallWords, ...context: PageContext) => unknown

/** The calls of the tag that this part answers. */
export type FlagCalls = Record<'flag' | 'payload' | 'look', FlagCall>

/** The value of a flag: undefined for one that is not there, or that Tilth did not decide in time. */
export const flag: FlagCall = async ([key = '', answer], ...context) => {
  begin(context)
  const decision = await want(key)
  tell(key, decision)
  answer?.(decision?.value)
  return decision?.value
}

export const payload: FlagCall = async ([key = '', answer], ...context) => {
  begin(context)
  const decision = await want(key)
  // a configuration has no variants to be counted
  if (typeof decision?.value === 'string') tell(key, decision)
  answer?.(decision?.payload)
  return decision?.payload
}

/** Decides the elements of the page, from now on also those that are added. */
export const look: FlagCall = (_, ...context) => begin(context)

/** Decides a flag with all others that are wanted at this moment, in one request. */
async function want(key: string): Promise<FlagDecision | undefined> {
  // once more where the visitor became another meanwhile
  while (!decided.has(key)) await (pending.get(key) ?? join(key))
  return decided.get(key)
}

function join(key: string): Promise<void> {
  batch ??= beginBatch()
  batch.keys.add(key)
  pending.set(key, batch.answered)
  return batch.answered
}

function beginBatch(): Batch {
  const keys = new Set<string>()
  const ofRound = round
  const decideBatch = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve))
    if (batch?.keys === keys) batch = undefined
    // without an answer the page stays as it is
    const decisions = await ask([...keys]).catch(() => new Map<string, FlagDecision | undefined>())
    if (ofRound !== round) return
    for (const key of keys) decided.set(key, decisions.get(key))
    publish()
    if (decisions.size) remember(decisions)
    decideElements(true)
  }
  return { keys, answered: decideBatch() }
}

/** Answers with nothing for a flag that is not there, and without one that could not be decided now. */
async function ask(keys: readonly string[]): Promise<Map<string, FlagDecision | undefined>> {
  const ofRound = round
  const response = await fetch(new URL('flags', import.meta.url), {
    method: 'POST',
    // as text, which needs no preflight
    body: JSON.stringify({
      key: project,
      distinctId: visitor(),
      flags: keys,
      versions: true,
    }),
    signal: AbortSignal.timeout(longestMs),
  })
  if (!response.ok || ofRound !== round) throw response
  const { flags, payloads, undecided, versions } = (await response.json()) as FlagsResponse
  const answered = new Map<string, FlagDecision | undefined>()
  for (const key of keys) {
    const value = own(flags, key)
    const decision = value !== undefined && {
      value,
      version: own(versions, key),
      payload: own(payloads, key),
    }
    if (!undecided.includes(key)) answered.set(key, decision || undefined)
  }
  return answered
}

/** A flag may have the name of what every object has. */
const own = <Value>(values: Record<string, Value>, key: string): Value | undefined =>
  Object.hasOwn(values, key) ? values[key] : undefined

function remember(answered: Map<string, FlagDecision | undefined>): void {
  const all = new Map([...kept.flags, ...answered])
  const flags = [...all].flatMap(([key, decision]) =>
    decision?.version === undefined ? [] : [[key, decision] as [string, FlagDecision]],
  )
  kept = renewed({ ...kept, flags })
  keep(store, kept)
}

/** Reports once that this visitor was shown what this version of the flag decides. */
function tell(key: string, decision: FlagDecision | undefined): void {
  if (decision?.version === undefined) return
  // a page that is only prepared shows nothing
  if (document.hidden)
    return addEventListener('visibilitychange', () => tell(key, decision), { once: true, capture: true })
  const { value, version } = decision
  // without an id, tomorrow's visitor is another
  const told = JSON.stringify([new Date().toISOString().slice(0, 10), key, value, version])
  if (kept.told.includes(told)) return
  const properties = { $feature_flag: key, $feature_flag_response: value, $feature_flag_version: version }
  if (!record('$feature_flag_called', properties)) return
  kept.told.push(told)
  keep(store, kept)
}

/** Decides the elements that are not yet; `isLate`: those whose default may be seen already stay as they are. */
function decideElements(isLate = false): void {
  const elements = [...document.querySelectorAll<HTMLElement>(flagElements)]
  const late = new Set(isLate ? elements.filter(isRevealed).map(keyOf) : [])
  for (const element of elements) {
    const key = keyOf(element)
    if (drawn.has(element)) continue
    if (!decided.has(key)) {
      void want(key)
      continue
    }
    const decision = late.has(key) ? undefined : decided.get(key)
    showAs(element, shownValue(decision))
    drawn.add(element)
    tell(key, decision)
  }
}

const keyOf = ({ dataset }: HTMLElement): string => dataset.tilthFlag ?? ''

/** Whether the time is over for which the styles in the head hide an element: then the visitor may read it already. */
const isRevealed = (element: HTMLElement): boolean =>
  element.dataset.tilthWas === undefined &&
  element.getClientRects().length > 0 &&
  getComputedStyle(element).animationName === 'tilth' &&
  element.getAnimations().length === 0
