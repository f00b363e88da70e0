import { memoryKey } from '#surveys/run/eligibility'
import type { PageEvent } from '#surveys/run/triggers'
import { isEligibleHere, recalled, rememberDone, rememberShown } from './memory'
import type * as Moments from './moments'
import { readStored, submissionStorage, writeStored } from './storage'
import type * as Widget from './widget'

/** A message that the page's script has sent: who the visitor is, and what happened. */
interface PageMessage {
  key?: string
  url?: string
  distinctId?: string
  events: { name: string; props?: object; set?: object }[]
}

type ServedSurvey = Widget.WidgetSurvey

const dueName = 'tilth_due'
/**
 * The time from which a survey may be shown, by its memory key; Infinity for one that is over on this page. The next page goes on
 * with it.
 */
// only `setDue` writes it
const due = (readStored('sessionStorage', dueName) ?? {}) as Record<string, number | null | undefined>

function setDue(survey: ServedSurvey, at: number | undefined): void {
  due[memoryKey(survey)] = at
  writeStored('sessionStorage', dueName, due)
}

const waitsForTrigger = ({ targeting: { triggers } }: ServedSurvey) => triggers?.length

/** Whether a survey neither waits for its delay nor is over. */
const isIdle = (survey: ServedSurvey): boolean => typeof due[memoryKey(survey)] !== 'number'

const arm = (survey: ServedSurvey): void =>
  setDue(survey, Date.now() + (survey.targeting.delaySeconds ?? 0) * 1000)

const disarm = (survey: ServedSurvey): void => setDue(survey, waitsForTrigger(survey) ? undefined : Infinity)

/** Loads another part of the widget, which the build makes of the file with that name. */
const loadPart = (name: string): Promise<unknown> =>
  import(new URL(`part-survey-${name}.js`, import.meta.url).href)

let moments: typeof Moments | undefined

const needsMoments = ({
  placement,
  targeting: { triggers, cancelEvents, deviceTypes },
}: ServedSurvey): boolean =>
  placement.kind !== 'popover' ||
  [triggers, cancelEvents, deviceTypes].some((conditions) => conditions?.length)

function isEligibleNow(survey: ServedSurvey): boolean {
  // a person who has begun to answer goes on at once
  const isBegun = submissionStorage(survey).read() !== undefined
  const memory = isBegun ? { done: recalled().done } : recalled()
  return isEligibleHere(survey, { deviceType: moments?.deviceType(), memory })
}

let surveys: readonly ServedSurvey[] = []
const waiting: PageEvent[] = []
let heard = (event: PageEvent): unknown => waiting.push(event)
let key: string | undefined
let distinctId: string | undefined
let requests = 0

const projectOfSite = (): string | undefined =>
  document.querySelector<HTMLElement>('script[data-surveys]')?.dataset.project

/** Called with each message of the page's script; on a site of ours without one. */
export function begin(message: PageMessage = { events: [] }): void {
  const { events, url = location.href } = message
  key ??= message.key ?? projectOfSite()
  const id = message.distinctId ?? distinctId
  // the properties of the person decide which surveys there are
  const isKnownAnew = id !== distinctId || events.some(({ name }) => name === '$identify')
  distinctId = id
  for (const { name, props } of events) heard({ name, properties: { ...props }, url })
  const reload = (): void => void load().catch(() => {})
  if (!requests || isKnownAnew) reload()
  // the server knows new properties of a person within a second or two
  if (events.some(({ set }) => set)) setTimeout(reload, 2000)
}

async function load(): Promise<void> {
  const request = ++requests
  const query = new URLSearchParams({
    lang: navigator.languages.join(),
    ...(key && { key }),
    ...(distinctId && { distinct_id: distinctId }),
  })
  const response = await fetch(new URL(`surveys?${query}`, import.meta.url))
  // by our own endpoint
  const { surveys: served } = (await response.json()) as { surveys?: ServedSurvey[] }
  if (!served || request !== requests) return
  // without it, surveys that wait for events are not shown
  if (served.some(needsMoments)) moments ??= (await loadPart('moments').catch(() => {})) as typeof Moments
  surveys = served
  if (heard !== happened) watch()
  look()
}

function watch(): void {
  heard = happened
  addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || !moments) return
    happened(moments.clickOn(target))
    const invited = surveys.find(
      ({ placement }) => placement.kind === 'selector' && target.closest(placement.selector),
    )
    if (invited && isEligibleNow(invited)) void show(invited, true)
  })
  document.documentElement.addEventListener('mouseleave', ({ clientY }) => clientY <= 0 && look(true))
  addEventListener('scroll', measure)
  addEventListener('pagehide', () => open?.leave())
  setInterval(look, 1000)
  waiting.forEach(happened)
}

let page = ''
let deepest = 0

/** Measures how much of the page was seen; one that takes the place of another is another page. */
function measure(): void {
  if (page !== location.pathname) deepest = 0
  page = location.pathname
  deepest = Math.max(deepest, ((scrollY + innerHeight) / document.documentElement.scrollHeight) * 100)
}

const isDue = (survey: ServedSurvey, hasLeft: boolean): boolean =>
  survey.placement.kind === 'popover' &&
  (due[memoryKey(survey)] ?? Infinity) <= Date.now() &&
  deepest >= (survey.targeting.scrollPercent ?? 0) &&
  (hasLeft || !survey.targeting.exitIntent) &&
  isEligibleNow(survey)

/** `hasLeft` at the moment when the pointer leaves the window at its top, as it does to close it. */
function look(hasLeft = false): void {
  measure()
  for (const survey of surveys) {
    const { kind } = survey.placement
    if (kind === 'popover' && !waitsForTrigger(survey) && isIdle(survey) && isEligibleNow(survey)) arm(survey)
    if (kind === 'tab') moments?.keepTab(survey, isEligibleNow(survey), () => show(survey, true))
  }
  const next = !isOpen && !document.hidden && surveys.find((survey) => isDue(survey, hasLeft))
  if (next) void show(next)
}

function happened(event: PageEvent): void {
  for (const survey of surveys) {
    const { triggers = [], cancelEvents = [] } = survey.targeting
    if (moments?.triggersOn(cancelEvents, event)) disarm(survey)
    if (isIdle(survey) && moments?.triggersOn(triggers, event)) arm(survey)
  }
  look()
}

let isOpen = false
/** The survey that was opened last. */
let open: { leave: () => void } | undefined

/** Loads what draws surveys, which pages without one that is due go without. */
async function show(survey: ServedSurvey, isInvited = false): Promise<void> {
  if (isOpen) return
  isOpen = true
  const closed = (): void => {
    isOpen = false
    disarm(survey)
  }
  try {
    // the build makes it of `widget.ts`
    const widget = (await loadPart('widget')) as typeof Widget
    open = await widget.openSurvey({
      survey,
      isInvited,
      storage: submissionStorage(survey),
      send: (message) => deliver(survey.id, message),
      finished: () => rememberDone(survey),
      closed,
    })
    rememberShown()
  } catch {
    closed()
  }
}

/** Hands it to the browser, which sends it even if the page goes away. A busy server gets it again. */
async function deliver(id: string, message: object, attempts = 3): Promise<Response> {
  const response = await fetch(new URL(`surveys/${id}/answers`, import.meta.url), {
    method: 'POST',
    keepalive: true,
    body: JSON.stringify({
      ...message,
      key,
      url: location.href,
      distinctId,
      optedOut: navigator.globalPrivacyControl || navigator.doNotTrack,
    }),
  })
  if (response.status !== 503 || !attempts) return response
  await new Promise((resolve) => setTimeout(resolve, 2000))
  return deliver(id, message, attempts - 1)
}
