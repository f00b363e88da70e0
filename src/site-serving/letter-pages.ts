import type { IncomingMessage, ServerResponse } from 'node:http'
import type { LetterLinkAction } from '#alerts/letter-links'
import type { AlertServices } from '#server/parts/alert-services'
import { answerRefused, type ErrorPage } from '#http/error-page'

/** Serves the pages behind links in mail. A GET changes nothing, so that link scanners have no effect. */
export async function answerLetter(
  request: IncomingMessage,
  response: ServerResponse,
  token: string,
  { links, contacts }: Pick<AlertServices['parts'], 'links' | 'contacts'>,
): Promise<void> {
  const wish = await links.read(token)
  const project = wish && contacts.projectName(wish.project)
  if (!wish || project === undefined) return answerRefused(request, response, invalidLinkPage)
  if (request.method !== 'POST') return answerRefused(request, response, confirmationPages[wish.do](project))
  await contacts.apply(wish)
  answerRefused(request, response, donePages[wish.do](project))
}

const invalidLinkPage: ErrorPage = {
  status: 404,
  title: 'This link does not work',
  advice: 'It was cut short on its way, or is of another Tilth. Open it once more from the letter.',
}

const confirmationPages: Record<LetterLinkAction['do'], (project: string) => ErrorPage> = {
  confirm: (project) => ({
    status: 200,
    title: `Letters about ${project}?`,
    advice: 'Alerts and reports come by mail, and each has a link that ends them.',
    submitLabel: 'Yes, send them to me',
  }),
  unsubscribe: (project) => ({
    status: 200,
    title: 'No more of these letters?',
    advice: `You get no more of them from ${project}. Others about other things go on.`,
    submitLabel: 'No more of them',
  }),
}

const donePages: Record<LetterLinkAction['do'], (project: string) => ErrorPage> = {
  confirm: (project) => ({
    status: 200,
    title: 'Thank you',
    advice: `Letters about ${project} come to you from now on.`,
  }),
  unsubscribe: (project) => ({
    status: 200,
    title: 'Done',
    advice: `You get no more of these letters from ${project}.`,
  }),
}
