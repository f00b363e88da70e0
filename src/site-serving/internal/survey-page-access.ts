import { networkOf } from '#projects/origin'
import { isPassword } from '#projects/passwords'
import { proofOfPin, provesPin } from '#surveys/answers/pin-proof'
import type { SurveyAnswers } from '#surveys/answers/survey-answers'
import { linkParameter, type SurveyLink } from '#surveys/links/survey-link'
import type { SurveyWords } from '#surveys/run/words'
import type { Survey } from '#surveys/survey'
import type { World } from '#world/world'
import type { ErrorPage } from '#http/error-page'
import type { RateLimiter } from '#world/rate-limiter'
import type { Exchange } from '#http/trusted-request'
import type { SurveyPageState } from './survey-page-state'

/** The proofs by which a sender may see and answer the page of a survey. */
export interface PageAccess {
  /** Proves the PIN, where there is one. */
  proof: string | undefined
  /** The link that the page was opened by. */
  link: (SurveyLink & { token: string }) | undefined
  /** The key of a member who tries the survey. */
  test: string | undefined
}

interface PageRequest {
  exchange: Exchange
  form: URLSearchParams | undefined
  state: SurveyPageState | undefined
  query: URLSearchParams
  world: World
  surveyAnswers: Pick<SurveyAnswers, 'checkLink'>
  mayTryPin: RateLimiter
  words: SurveyWords
  /** The language of the words. */
  language: string
}

/** The page that asks for a PIN. */
interface PinPrompt {
  asksPin: true
  problem: string | undefined
}

/** The access of a sender, that a PIN is asked for, or the page that says what is wrong with a link. */
export async function pageAccess(
  survey: Survey,
  request: PageRequest,
): Promise<PageAccess | PinPrompt | ErrorPage> {
  const { isOpen, needsLink, pinHash } = survey.hostedPage
  // a form in a post, which has no use for the settings of a page that is closed
  if (!isOpen) return { proof: undefined, link: undefined, test: undefined }
  const { state, query, surveyAnswers } = request
  const token = state ? state.link : (query.get(linkParameter) ?? undefined)
  const check = token ? await surveyAnswers.checkLink(survey, token) : undefined
  const { words } = request
  if (check?.isUsable === false)
    return { status: 410, title: words.linkUseless, advice: words[check.problem], language: request.language }
  const link = check && token ? { ...check.link, token } : undefined
  if (needsLink && !link)
    return {
      status: 403,
      title: words.linkNeeded,
      advice: words.linkNeededAdvice,
      language: request.language,
    }
  const proof = pinHash === undefined ? undefined : await pinProof(survey.id, pinHash, request)
  return typeof proof === 'object' ? proof : { proof, link, test: undefined }
}

async function pinProof(
  id: string,
  pinHash: string,
  { exchange, form, state, world, mayTryPin, words, language }: PageRequest,
): Promise<string | undefined | PinPrompt | ErrorPage> {
  if (provesPin(state?.proof, pinHash, id, world.now())) return state?.proof
  const pin = form?.get('pin')
  if (!pin) return { asksPin: true, problem: undefined }
  if (!mayTryPin(`${id} ${networkOf(exchange.trustedRequest.client)}`))
    return {
      status: 429,
      title: words.tooManyPins,
      advice: words.waitAndOpen,
      language,
      headers: { 'retry-after': '600' },
    }
  const isRight = await isPassword(pin, pinHash)
  return isRight ? proofOfPin(pinHash, id, world.now()) : { asksPin: true, problem: words.pinWrong }
}
