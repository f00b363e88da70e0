import type { LetterLinkAction } from '#alerts/letter-links'
import type { AlertServices } from '#alerts/open'
import { answerRefused, type ErrorPage } from '#http/error-page'
import type { Exchange } from '#http/trusted-request'

/**
 * Serves the pages behind links in mail, below /_tilth/letters. A GET changes nothing, so that link scanners have no
 * effect.
 */
export async function answerLetter(
  { request, response, trustedRequest }: Exchange,
  { product: { alerts } }: { product: { alerts: Pick<AlertServices, 'links' | 'contacts'> } },
): Promise<void> {
  const { links, contacts } = alerts
  const [, , , token = ''] = trustedRequest.path.split('/')
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
  advice: 'The link is incomplete, or belongs to another installation. Open it again from the e-mail.',
}

const confirmationPages: Record<LetterLinkAction['do'], (project: string) => ErrorPage> = {
  confirm: (project) => ({
    status: 200,
    title: `Confirm e-mails about ${project}`,
    advice: 'You will get alerts and reports. Each e-mail has a link to unsubscribe.',
    submitLabel: 'Confirm',
  }),
  unsubscribe: (project) => ({
    status: 200,
    title: 'Unsubscribe?',
    advice: `You will no longer get these e-mails from ${project}. Other e-mails continue.`,
    submitLabel: 'Unsubscribe',
  }),
}

const donePages: Record<LetterLinkAction['do'], (project: string) => ErrorPage> = {
  confirm: (project) => ({
    status: 200,
    title: 'Thank you',
    advice: `You will get e-mails about ${project}.`,
  }),
  unsubscribe: (project) => ({
    status: 200,
    title: 'Done',
    advice: `You will no longer get these e-mails from ${project}.`,
  }),
}
