import { answerRefused, type ErrorPage } from '#http/error-page'
import type { Exchange } from '#http/trusted-request'
import type { Product } from '#server/product'
import { unsubscribePath } from '#surveys/mailings/unsubscribe-links'

/**
 * Serves the link that ends letters with surveys. A GET changes nothing, so that link scanners have no effect; mail
 * programs send the POST themselves: https://www.rfc-editor.org/rfc/rfc8058
 */
export async function answerUnsubscribe(
  { request, response, trustedRequest }: Exchange,
  { product }: { product: Pick<Product, 'surveys'> },
): Promise<void> {
  const links = product.surveys.unsubscribing
  const wish = links.read(trustedRequest.path.slice(unsubscribePath.length + 1))
  if (!wish) return answerRefused(request, response, invalidLinkPage)
  if (request.method !== 'POST') return answerRefused(request, response, askingPage)
  await links.apply(wish)
  answerRefused(request, response, donePage)
}

const invalidLinkPage: ErrorPage = {
  status: 404,
  title: 'This link does not work',
  advice: 'The link is incomplete. Open it again from the e-mail.',
}

const askingPage: ErrorPage = {
  status: 200,
  title: 'Unsubscribe from survey e-mails?',
  advice: 'You will no longer get survey e-mails from this sender.',
  submitLabel: 'Unsubscribe',
}

const donePage: ErrorPage = {
  status: 200,
  title: 'Done',
  advice: 'You will no longer get survey e-mails from this sender.',
}
