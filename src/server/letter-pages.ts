import type { IncomingMessage, ServerResponse } from 'node:http'
import type { LetterWish } from '../alerts/letter-links'
import type { Alerting } from './alerting'
import { answerRefused, type HonestPage } from './honest-page'

/** What stands behind a link in a letter. Looking does nothing; programs that look ahead of people change nothing. */
export async function answerLetter(
  request: IncomingMessage,
  response: ServerResponse,
  token: string,
  { links, contacts }: Pick<Alerting['parts'], 'links' | 'contacts'>,
): Promise<void> {
  const wish = await links.read(token)
  const project = wish && contacts.projectName(wish.project)
  if (!wish || project === undefined) return answerRefused(request, response, unreadable)
  if (request.method !== 'POST') return answerRefused(request, response, asked[wish.do](project))
  await contacts.fulfil(wish)
  answerRefused(request, response, fulfilled[wish.do](project))
}

const unreadable: HonestPage = {
  status: 404,
  title: 'This link does not work',
  advice: 'It was cut short on its way, or is of another Tilth. Open it once more from the letter.',
}

const asked: Record<LetterWish['do'], (project: string) => HonestPage> = {
  confirm: (project) => ({
    status: 200,
    title: `Letters about ${project}?`,
    advice: 'Alerts and reports come by mail, and each has a link that ends them.',
    ask: 'Yes, send them to me',
  }),
  unsubscribe: (project) => ({
    status: 200,
    title: 'No more of these letters?',
    advice: `You get no more of them from ${project}. Others about other things go on.`,
    ask: 'No more of them',
  }),
}

const fulfilled: Record<LetterWish['do'], (project: string) => HonestPage> = {
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
