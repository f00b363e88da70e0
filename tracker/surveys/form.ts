import type { Answers } from '#surveys/question'
import { answerFromFormBy } from '#surveys/run/answer-from-form'
import { isEmptyAnswer } from '#surveys/run/check-answer'
import { commonKinds } from '#surveys/run/common-kinds'
import { type FindKind, findIn } from '#surveys/run/kind-rules'
import { rareKinds } from '#surveys/run/rare-kinds'
import { arrangeContent } from '#surveys/run/session'
import { MountedSurvey, refusalOf, type ServedSurvey, type SurveyMessage } from './mount'

/** What the server says beside a form of a survey. */
interface FormSettings {
  survey: ServedSurvey
  fields: Record<string, string>
  prefilled: Answers
  /** Where answers go. */
  endpoint: string
  key: string
  /** Proves a single-use link or a PIN. */
  proof?: string
  distinctId?: string
  /** Whether an answer of the address is sent as soon as the page is seen. */
  sendsPrefilled: boolean
}

/** Takes over the forms of surveys in the page; they work without this too. Our site's script calls it after each page. */
export function begin(): void {
  for (const place of document.querySelectorAll('[data-tilth-survey-form]')) {
    const settings = place.querySelector('script[type="application/json"]')?.textContent
    const root = place.querySelector('.tilth-survey')?.parentElement
    if (!settings || !root || place.hasAttribute('data-begun')) continue
    place.setAttribute('data-begun', '')
    // by our own server
    take(root, JSON.parse(settings) as FormSettings)
  }
}

function take(root: Element, settings: FormSettings): void {
  const { survey, fields, prefilled, sendsPrefilled } = settings
  const find = findIn(commonKinds, rareKinds)
  const form = root.querySelector('form')
  const keepFocus = focusKeeper(root)
  const send = (message: SurveyMessage) => refusalOf(deliver(settings, message), survey.words)
  const mounted = new MountedSurvey({
    survey,
    root,
    fields,
    // a person may be quicker than the script
    prefilled: { ...prefilled, ...(form && enteredAnswers(survey, find, new FormData(form))) },
    find,
    arrange: arrangeContent,
    send,
  })
  keepFocus()
  addEventListener('pagehide', () => mounted.leave())
  whenSeen(root, () => {
    mounted.send('shown')
    // programs that open the links of letters show nothing to anybody
    if (sendsPrefilled && Object.keys(prefilled).length > 0) mounted.sendPrefilled()
  })
}

function enteredAnswers({ content }: ServedSurvey, find: FindKind, form: FormData): Answers {
  return Object.fromEntries(
    content.questions.flatMap((question) => {
      const answer = answerFromFormBy(find, question, form)
      return answer === undefined || isEmptyAnswer(answer) ? [] : [[question.id, answer]]
    }),
  )
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
