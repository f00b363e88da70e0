import type { Answers } from '#surveys/question'
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

/** Takes over the forms of surveys in the page; they work without this too. */
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
  const send = (message: SurveyMessage) => refusalOf(deliver(settings, message), survey.words)
  const mounted = new MountedSurvey({ survey, root, fields, prefilled, send })
  addEventListener('pagehide', () => mounted.leave())
  whenSeen(root, () => {
    void send({
      event: 'shown',
      answers: {},
      isComplete: false,
      submissionId: '',
      version: survey.version,
      language: survey.language,
      fields: {},
    })
    // programs that open the links of letters show nothing to anybody
    if (sendsPrefilled && Object.keys(prefilled).length > 0) mounted.sendPrefilled()
  })
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
  const { submissionId, ...rest } = message
  return fetch(endpoint, {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...rest,
      ...(submissionId && { submissionId }),
      key,
      proof,
      distinctId,
      url: location.href,
    }),
  })
}

// a page of a survey's own has no script that begins this one; modules run after the page was read
begin()
