import { commonKinds } from '#surveys/run/common-kinds'
import { isEligible, memoryKey, type SurveyMemory } from '#surveys/run/eligibility'
import { findIn } from '#surveys/run/kind-rules'
import type { PageEvent } from '#surveys/run/triggers'
import { commonRules } from '#surveys/survey-styles'
import type { DeviceType } from '#surveys/survey'
import { MountedSurvey, refusalOf, type ServedSurvey as MountableSurvey, type SurveyMessage } from './mount'
import type * as More from './more'
import { keepClear } from './placement'
import { readStored, writeStored } from './storage'

/** A survey as the list of running surveys has it. */
interface ServedSurvey extends MountableSurvey {
  /** Its own styles. */
  sheet: string
}

/** A message that the page's script has sent: who the visitor is, and what happened. */
interface PageMessage {
  key?: string
  distinctId?: string
  events: { name: string; props?: object }[]
}

/** What the page's script knows. */
interface WidgetHost {
  key: string | undefined
  distinctId: string | undefined
  /** Called with everything that is recorded on the page; it keeps what comes before the surveys. */
  heard: (event: PageEvent) => unknown
}

interface Candidate {
  survey: ServedSurvey
  /** When it may be shown; undefined until its trigger. */
  dueAt: number | undefined
  isOver: boolean
}

const memoryName = 'tilth_surveys'
// only `remember` writes it
let memory = (readStored('localStorage', memoryName) as SurveyMemory | undefined) ?? { done: [] }

function remember(change: Partial<SurveyMemory>): void {
  memory = { ...memory, ...change }
  writeStored('localStorage', memoryName, memory)
}

let more: typeof More | undefined

/** Loads what the widget does without for most surveys. */
async function loadMore(): Promise<void> {
  // the build makes it of `more.ts`
  more ??= (await import(new URL('part-survey-more.js', import.meta.url).href)) as typeof more
}

const waitsForEvents = ({ targeting: { triggers, cancelEvents } }: ServedSurvey): boolean =>
  Boolean(triggers?.length || cancelEvents?.length)

const needsMore = ({ content: { questions, shufflesQuestions, hiddenFields } }: ServedSurvey): boolean =>
  shufflesQuestions ||
  !!hiddenFields[0] ||
  questions.some(
    (question) =>
      !(question.kind in commonKinds) || ('shufflesChoices' in question && question.shufflesChoices),
  )

const deviceType = (): DeviceType => {
  const { userAgent, maxTouchPoints } = navigator
  if (/iPad|Tablet|Android(?!.*Mobi)/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1))
    return 'Tablet'
  return /Mobi|iPhone/.test(userAgent) ? 'Mobile' : 'Desktop'
}

const has = (selector: string): boolean => {
  try {
    return document.querySelector(selector) !== null
  } catch {
    return false
  }
}

const eligibleNow = (survey: ServedSurvey): boolean =>
  isEligible(survey, {
    href: location.href,
    has,
    deviceType: deviceType(),
    languages: navigator.languages,
    widthPx: innerWidth,
    now: Date.now(),
    memory,
  })

let pageHost: WidgetHost | undefined
const early: PageEvent[] = []

/** Called with each message of the page's script; on a site of ours without one. Surveys are asked for once. */
export function begin(message?: PageMessage): void {
  const tag = document.querySelector<HTMLElement>('script[data-surveys]')
  const isFirst = !pageHost
  pageHost ??= {
    key: message?.key ?? tag?.dataset.project,
    distinctId: undefined,
    heard: (event) => early.push(event),
  }
  pageHost.distinctId = message?.distinctId ?? pageHost.distinctId
  for (const { name, props } of message?.events ?? [])
    pageHost.heard({ name, properties: { ...props }, url: location.href })
  if (isFirst) load(pageHost).catch(() => {})
}

async function load(host: WidgetHost): Promise<void> {
  const address = new URL('surveys', import.meta.url)
  if (host.key) address.searchParams.set('key', host.key)
  if (host.distinctId) address.searchParams.set('distinct_id', host.distinctId)
  address.searchParams.set('lang', navigator.languages.join())
  const response = await fetch(address)
  // by our own endpoint
  const { surveys } = (await response.json()) as { surveys?: ServedSurvey[] }
  if (!surveys) return
  // without it, surveys that wait for events are not shown
  if (surveys.some(waitsForEvents)) await loadMore().catch(() => {})
  watch(host, surveys)
}

function watch(host: WidgetHost, surveys: readonly ServedSurvey[]): void {
  const candidates = surveys
    .filter(({ placement: { kind } }) => kind === 'popover')
    .map((survey): Candidate => ({
      survey,
      dueAt: survey.targeting.triggers?.length ? undefined : dueAt(survey),
      isOver: false,
    }))
  let open: MountedSurvey | undefined
  let isOpen = false
  let deepest = 0
  let hasLeft = false

  const closed = (): void => {
    open = undefined
    isOpen = false
  }
  const show = async (survey: ServedSurvey, isInvited: boolean): Promise<void> => {
    if (isOpen) return
    isOpen = true
    if (needsMore(survey)) await loadMore()
    open = openSurvey(host, survey, isInvited, closed)
  }
  const isDue = ({ survey, dueAt: at = Infinity, isOver }: Candidate): boolean =>
    !isOver &&
    at <= Date.now() &&
    deepest >= (survey.targeting.scrollPercent ?? 0) &&
    (hasLeft || !survey.targeting.exitIntent) &&
    eligibleNow(survey)
  const look = (): void => {
    const scrolled = ((scrollY + innerHeight) / document.documentElement.scrollHeight) * 100
    deepest = Math.max(deepest, scrolled)
    const next = !isOpen && !document.hidden && candidates.find(isDue)
    if (!next) return
    next.isOver = !next.survey.targeting.repeatsOnTrigger
    next.dueAt = undefined
    show(next.survey, false).catch(closed)
  }
  const happened = (event: PageEvent): void => {
    for (const candidate of candidates) {
      const { triggers = [], cancelEvents = [] } = candidate.survey.targeting
      if (more?.triggersOn(cancelEvents, event)) candidate.dueAt = undefined
      if (more?.triggersOn(triggers, event)) candidate.dueAt ??= dueAt(candidate.survey)
    }
    look()
  }
  host.heard = happened
  addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return
    happened(clickOn(target))
    const invited = surveys.find(
      ({ placement }) => placement.kind === 'selector' && target.closest(placement.selector),
    )
    if (invited && eligibleNow(invited)) show(invited, true).catch(closed)
  })
  document.documentElement.addEventListener('mouseleave', ({ clientY }) => {
    hasLeft ||= clientY <= 0
    look()
  })
  addEventListener('pagehide', () => open?.leave())
  for (const survey of surveys)
    if (survey.placement.kind === 'tab' && eligibleNow(survey))
      addTab(survey, () => show(survey, true).catch(closed))
  setInterval(look, 1000)
  early.forEach(happened)
  look()
}

const dueAt = ({ targeting: { delaySeconds = 0 } }: ServedSurvey): number => Date.now() + delaySeconds * 1000

const clickOn = (target: Element): PageEvent => {
  const link = target.closest<HTMLElement>('a, button') ?? target
  return {
    name: '$autocapture',
    properties: {},
    url: location.href,
    element: {
      matches: (selector) => {
        try {
          return target.closest(selector) !== null
        } catch {
          return false
        }
      },
      text: (link.textContent ?? '').trim(),
      href: link instanceof HTMLAnchorElement ? link.href : '',
    },
  }
}

/** An element whose styles and those of the page do not meet. */
function shadowHost(css: string): { element: HTMLElement; root: HTMLElement } {
  const element = document.createElement('div')
  const shadow = element.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`:host{all:initial}${css}`)
  shadow.adoptedStyleSheets = [sheet]
  const root = document.createElement('div')
  shadow.append(root)
  return { element, root }
}

const boxRules = `.box{position:fixed;z-index:9999;width:min(100vw - 2rem,var(--tilth-box-width));max-height:calc(100vh - 2rem);overflow:auto}
.box>section{box-shadow:0 8px 30px #0003}
@media (prefers-reduced-motion:no-preference){.box{animation:tilth-in .2s}}
@keyframes tilth-in{from{opacity:0;translate:0 8px}}`

function openSurvey(
  host: WidgetHost,
  survey: ServedSurvey,
  isInvited: boolean,
  closed: () => void,
): MountedSurvey {
  const { position, maxWidthPx } = survey.content.appearance
  const { element, root } = shadowHost(
    commonRules +
      (more?.rareRules ?? '') +
      survey.sheet +
      boxRules +
      `.box{--tilth-box-width:${maxWidthPx}px}`,
  )
  element.dataset.tilthSurvey = survey.id
  root.className = 'box'
  document.body.append(element)
  const before = document.activeElement
  const mounted = new MountedSurvey({
    survey,
    root,
    canClose: true,
    fields: more?.givenFields(survey),
    find: findIn(commonKinds, more?.rareKinds ?? {}),
    arrange: more?.arrangeContent,
    send: (message) => refusalOf(deliver(host, survey.id, message), survey.words),
    closed(isDone) {
      remember({ done: [...new Set([...memory.done, memoryKey(survey)])] })
      // the thanks stay until they are closed
      if (isDone && root.firstChild) return
      stopPlacing()
      const hadFocus = document.activeElement === element
      element.remove()
      if (hadFocus && before instanceof HTMLElement) before.focus()
      closed()
    },
  })
  const stopPlacing = keepClear(root, position, element)
  remember({ lastShownAt: Date.now() })
  mounted.send('shown')
  // the visitor has asked for it
  if (isInvited) root.querySelector<HTMLElement>('[data-close]')?.focus()
  return mounted
}

function addTab({ placement, content, name }: ServedSurvey, open: () => unknown): void {
  if (placement.kind !== 'tab') return
  const { element, root } = shadowHost(
    `button{position:fixed;z-index:9998;inset-block-start:40%;inset-inline-end:0;writing-mode:vertical-rl;min-width:2.75rem;padding:1rem .5rem;border:0;border-radius:8px 0 0 8px;cursor:pointer;font:600 1rem system-ui;background:var(--c);color:var(--t)}`,
  )
  const button = document.createElement('button')
  button.style.setProperty('--c', placement.color || content.appearance.buttonColor)
  button.style.setProperty('--t', content.appearance.buttonTextColor)
  button.textContent = placement.label || name
  button.addEventListener('click', open)
  root.append(button)
  document.body.append(element)
}

/** Hands it to the browser, which sends it even if the page goes away. */
function deliver({ key, distinctId }: WidgetHost, id: string, message: SurveyMessage): Promise<Response> {
  return fetch(new URL(`surveys/${id}/answers`, import.meta.url), {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify({
      ...message,
      key,
      url: location.href,
      distinctId,
      optedOut: navigator.globalPrivacyControl || navigator.doNotTrack,
    }),
  })
}
