import { answerRefused, type ErrorPage } from '#http/error-page'
import type { Exchange } from '#http/trusted-request'
import type { LetterReplies } from '#letters/sending/letter-replies'
import { newsletterPath } from '#letters/subscription-links'
import type { Subscriptions } from '#letters/subscribers/subscriptions'
import { classifyTraffic } from '#ingest/steps/robots'
import { letterWords } from '#letters/words'
import type { Product } from '#server/product'
import type { World } from '#world/world'
import { formEnvelope } from './internal/form-envelope'

interface NewsletterPageDependencies {
  subscriptions: Pick<Subscriptions, 'awaiting' | 'confirm' | 'find' | 'namesOf'>
  replies: Pick<LetterReplies, 'read' | 'unsubscribe' | 'click'>
}

/**
 * Serves the links of letters. Those that confirm or end a subscription change nothing by a GET, so that link scanners
 * have no effect; mail programs send the POST themselves: https://www.rfc-editor.org/rfc/rfc8058
 */
export async function answerNewsletter(
  exchange: Exchange,
  {
    product: { letters },
    intake,
  }: { product: Pick<Product, 'letters'>; intake: { context: { world: World } } },
): Promise<void> {
  const { request, response, trustedRequest } = exchange
  const receivedAt = intake.context.world.now()
  const [kind = '', token = ''] = trustedRequest.path.slice(newsletterPath.length + 1).split('/', 2)
  const answer = answers.get(kind) ?? (async () => invalidLinkPage)
  const page = await answer({ exchange, token, receivedAt, isPost: request.method === 'POST' }, letters)
  if (page) answerRefused(request, response, page)
}

interface LinkRequest {
  exchange: Exchange
  token: string
  receivedAt: Date
  isPost: boolean
}

type LinkAnswer = (
  request: LinkRequest,
  dependencies: NewsletterPageDependencies,
) => Promise<ErrorPage | undefined>

const confirm: LinkAnswer = async ({ token, isPost }, { subscriptions }) => {
  const found = isPost ? await subscriptions.confirm(token) : await subscriptions.awaiting(token)
  if (!found) return invalidLinkPage
  const { list, site, language } = await subscriptions.namesOf(found)
  const words = letterWords(language)
  return isPost
    ? {
        status: 200,
        title: words.confirmed,
        advice: words.confirmedAdvice(list),
        language: words.language,
      }
    : {
        status: 200,
        title: words.confirmSubject(list),
        advice: words.confirmAsk(list, site),
        submitLabel: words.confirm,
        language: words.language,
      }
}

const unsubscribe: LinkAnswer = async ({ token, isPost }, { subscriptions, replies }) => {
  const link = replies.read(token)
  const subscriber = link?.do === 'unsubscribe' ? await subscriptions.find(link.subscriber) : undefined
  if (link?.do !== 'unsubscribe' || !subscriber) return invalidLinkPage
  const { list, language } = await subscriptions.namesOf(subscriber)
  const words = letterWords(language)
  if (!isPost)
    return {
      status: 200,
      title: words.unsubscribeAsk(list),
      advice: words.unsubscribedAdvice(list),
      submitLabel: words.unsubscribe,
      language: words.language,
    }
  await replies.unsubscribe(link)
  return {
    status: 200,
    title: words.unsubscribed,
    advice: words.unsubscribedAdvice(list),
    language: words.language,
  }
}

/** Leads to the address that the letter has at this place, and to no other. */
const click: LinkAnswer = async ({ exchange, token, receivedAt }, { replies }) => {
  const { request, response } = exchange
  const link = replies.read(token)
  // link scanners that say what they are count as little as a request that only looks
  const isVisit =
    request.method === 'GET' && classifyTraffic(request.headers['user-agent'] ?? '').traffic === 'human'
  const target =
    link?.do === 'click'
      ? await replies.click(
          link,
          isVisit ? (projectId) => formEnvelope(exchange, projectId, receivedAt) : undefined,
        )
      : undefined
  if (target === undefined) return invalidLinkPage
  response
    .writeHead(302, {
      location: target,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'content-length': 0,
    })
    .end()
  return undefined
}

const answers: ReadonlyMap<string, LinkAnswer> = new Map(Object.entries({ confirm, unsubscribe, click }))

const invalidLinkPage: ErrorPage = {
  status: 404,
  title: 'This link does not work',
  advice: 'It was used, is too old, or is incomplete. Open it again from the e-mail, or sign up once more.',
}
