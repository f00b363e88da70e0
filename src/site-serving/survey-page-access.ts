import { networkOf } from '#projects/origin'
import { isPassword } from '#projects/passwords'
import { proofOfPin, provesPin } from '#surveys/answers/pin-proof'
import type { SurveyAnswers } from '#surveys/answers/survey-answers'
import { linkParameter, type SurveyLink } from '#surveys/links/survey-link'
import type { Survey } from '#surveys/survey'
import type { World } from '#world/world'
import type { ErrorPage } from '#http/error-page'
import type { RateLimiter } from '#http/rate-limiter'
import type { Exchange } from '#http/trusted-request'
import type { SurveyPageState } from './survey-page-state'

/** By what a sender may see and answer the page of a survey. */
export interface PageAccess {
  /** Proves the PIN, where there is one. */
  proof: string | undefined
  /** The link that the page was opened by. */
  link: (SurveyLink & { token: string }) | undefined
}

interface PageRequest {
  exchange: Exchange
  form: URLSearchParams | undefined
  state: SurveyPageState | undefined
  query: URLSearchParams
  world: World
  surveyAnswers: Pick<SurveyAnswers, 'checkLink'>
  mayTryPin: RateLimiter
}

/** The access of a sender, or the page that asks for a PIN or says what is wrong with a link. */
export async function pageAccess(survey: Survey, request: PageRequest): Promise<PageAccess | ErrorPage> {
  const { isOpen, needsLink, pinHash } = survey.hostedPage
  // a form in a post, which has no use for the settings of a page that is closed
  if (!isOpen) return { proof: undefined, link: undefined }
  const { state, query, surveyAnswers } = request
  const token = state ? state.link : (query.get(linkParameter) ?? undefined)
  const check = token ? await surveyAnswers.checkLink(survey, token) : undefined
  if (check?.isUsable === false) return { ...uselessLinkPage, advice: check.problem }
  const link = check && token ? { ...check.link, token } : undefined
  if (needsLink && !link) return linkNeededPage
  const proof = pinHash === undefined ? undefined : await pinProof(survey.id, pinHash, request)
  return typeof proof === 'object' ? proof : { proof, link }
}

async function pinProof(
  id: string,
  pinHash: string,
  { exchange, form, state, world, mayTryPin }: PageRequest,
): Promise<string | undefined | ErrorPage> {
  if (provesPin(state?.proof, pinHash, id, world.now())) return state?.proof
  const pin = form?.get('pin')
  if (!pin) return pinPage
  if (!mayTryPin(`${id} ${networkOf(exchange.trustedRequest.client)}`)) return tooManyPins
  return (await isPassword(pin, pinHash)) ? proofOfPin(pinHash, id, world.now()) : wrongPin
}

const uselessLinkPage: ErrorPage = { status: 410, title: 'This link cannot be used', advice: '' }

const linkNeededPage: ErrorPage = {
  status: 403,
  title: 'This survey needs a personal link',
  advice: 'Open the link that was sent to you.',
}

const pinPage: ErrorPage = {
  status: 200,
  title: 'This survey needs a PIN',
  advice: 'Enter the PIN that came with the link.',
  submitLabel: 'Open the survey',
  fields: [{ name: 'pin', label: 'PIN', value: '' }],
}
const wrongPin: ErrorPage = {
  ...pinPage,
  status: 403,
  fields: [{ name: 'pin', label: 'PIN', value: '', error: 'Wrong PIN.' }],
}
const tooManyPins: ErrorPage = {
  status: 429,
  title: 'Too many attempts',
  advice: 'Wait a few minutes, then open the link again.',
  headers: { 'retry-after': '600' },
}
