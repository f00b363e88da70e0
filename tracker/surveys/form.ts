import type { Answers } from '#surveys/question'
import { commonKinds } from '#surveys/kinds/common-kinds'
import { findIn } from '#surveys/kinds/kind-rules'
import {
  enteredAnswers,
  MountedSurvey,
  newId,
  refusalOf,
  type ServedSurvey,
  type SurveyMessage,
} from '#surveys/run/mounted-survey'
import { rareKinds } from '#surveys/kinds/rare-kinds'
import { arrangeContent } from '#surveys/run/session'
import { givenFields } from './given-fields'
import { isEligibleHere, recalled, rememberDone, rememberShown } from './memory'
import { deviceType } from './moments'
import { readStored, submissionStorage, writeStored } from './storage'

/** The settings that the server writes beside a form of a survey. */
interface FormSettings {
  survey: ServedSurvey
  fields: Record<string, string>
  prefilled: Answers
  endpoint: string
  key: string
  /** Proves a single-use link or a PIN. */
  proof?: string
  distinctId?: string
  /** The submission of this person, also when the page is opened again. */
  submissionId?: string
  /** Whether the survey stands in a page or post, which is the same for all its readers. */
  isInline?: boolean
  /** Whether an answer of the address is sent as soon as the page is seen. */
  sendsPrefilled: boolean
}

/** Takes over the forms of surveys in the page; they work without it. Our site's script calls it after each page. */
export function begin(): void {
  for (const place of document.querySelectorAll('[data-tilth-survey-form]')) {
    const settings = place.querySelector('script[type="application/json"]')?.textContent
    const root = place.querySelector('.tilth-survey')?.parentElement
    if (!settings || !root || place.hasAttribute('data-begun')) continue
    place.setAttribute('data-begun', '')
    // by our own server
    const read = JSON.parse(settings) as FormSettings
    // conditions on the page and the browser, which the server cannot know
    if (read.isInline && !isEligibleHere(read.survey, { deviceType: deviceType(), memory: recalled() }))
      place.remove()
    else take(root, read)
  }
}

function take(root: Element, settings: FormSettings): void {
  const { survey, prefilled, sendsPrefilled, isInline } = settings
  const find = findIn(commonKinds, rareKinds)
  const form = root.querySelector('form')
  const keepFocus = focusKeeper(root)
  const hasPrefilled = Object.keys(prefilled).length > 0
  const storage = submissionStorage(survey)
  const id = settings.submissionId ?? (hasPrefilled ? submissionHere(survey) : undefined)
  // one that is not begun yet begins as this submission
  if (id !== undefined && !storage.read()) storage.write({ id })
  const send = (message: SurveyMessage) => refusalOf(deliver(settings, message), survey.words)
  const mounted = new MountedSurvey({
    survey,
    root,
    fields: { ...(isInline && givenFields(survey)), ...settings.fields },
    // a person may be quicker than the script
    prefilled: { ...prefilled, ...(form && enteredAnswers(find, survey.content, form)) },
    find,
    arrange: arrangeContent,
    storage,
    send,
    closed() {
      if (isInline) rememberDone(survey)
      // an end card may lead on by itself
      const shown = root.querySelector('.screen > .button')?.getAttribute('href')
      const next = survey.content.endCards.find(({ link, redirects }) => redirects && link === shown)
      if (next) location.assign(next.link)
    },
  })
  keepFocus()
  addEventListener('pagehide', () => mounted.leave())
  whenSeen(root, () => {
    if (isInline) rememberShown()
    mounted.send('shown')
    // programs that open the links of e-mails show no page to a person
    if (sendsPrefilled && hasPrefilled) mounted.sendPrefilled()
  })
}

/** The submission of this browser: an address with an answer that is opened twice is one response. */
function submissionHere({ id, isRepeatable, iteration }: ServedSurvey): string | undefined {
  if (isRepeatable) return undefined
  const name = `tilth_submission_${id}_${iteration?.number ?? 0}`
  // only this function writes it
  const known = readStored('localStorage', name) as { id: string } | undefined
  const submission = known ?? { id: newId() }
  writeStored('localStorage', name, submission)
  return submission.id
}

/** Returns what gives the focus back to the control that has it now, once that is drawn again. */
function focusKeeper(root: Element): () => void {
  const held = document.activeElement as HTMLInputElement | null
  if (!held?.name || !root.contains(held)) return () => {}
  const { name, value, selectionStart } = held
  return () => {
    const controls = [...root.querySelectorAll<HTMLInputElement>(`[name="${name}"]`)]
    const control = controls.find((one) => one.value === value)
    control?.focus()
    if (selectionStart) control?.setSelectionRange(selectionStart, selectionStart)
  }
}

function whenSeen(element: Element, seen: () => void): void {
  const watching = new IntersectionObserver((entries) => {
    if (document.hidden || !entries.some(({ isIntersecting }) => isIntersecting)) return
    watching.disconnect()
    seen()
  })
  watching.observe(element)
  document.addEventListener('visibilitychange', () => {
    watching.unobserve(element)
    watching.observe(element)
  })
}

function deliver(
  { endpoint, key, proof, distinctId }: FormSettings,
  message: SurveyMessage,
): Promise<Response> {
  return fetch(endpoint, {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...message,
      key,
      proof,
      distinctId,
      url: location.href,
    }),
  })
}

// a page of a survey's own has no script that begins this one; modules run after the page was read
begin()
