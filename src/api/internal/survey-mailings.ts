import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { mailingInput, type MailingReport } from '#surveys/mailings/survey-mailings'
import { type Endpoint, mapOutcome, success } from './endpoint'

const leftShape = z.array(z.object({ address: z.string(), why: z.string() }))

const letterShape = z.object({
  address: z.string(),
  state: z.enum(['waiting', 'sending', 'sent', 'failed']),
  outcome: z.string().optional(),
})

const mailingShape = z
  .object({
    id: z.string(),
    subject: z.string(),
    message: z.string(),
    createdBy: z.string(),
    createdAt: instant,
    letters: z.array(letterShape),
  })
  .meta({ id: 'SurveyMailing' })

const mailingBody = ({ projectId: _project, surveyId: _survey, ...mailing }: MailingReport) => ({
  ...mailing,
  letters: [...mailing.letters],
})

const base = '/projects/{project}/surveys/{survey}/mailings'

export const surveyMailingEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: base,
    summary: 'List e-mails of a survey with their states',
    right: 'surveys:read',
    responseSchema: z.object({ mailings: z.array(mailingShape) }),
    handle: async ({ product, viewer, project, pathParameter }) => {
      const mailings = await product.surveys.mailings.list(project().id, pathParameter('survey'), viewer)
      return success({ mailings: mailings.map(mailingBody) })
    },
  },
  {
    method: 'POST',
    path: `${base}/preview`,
    summary: 'Preview an e-mail of a survey, and count its recipients',
    right: 'surveys:write',
    input: mailingInput,
    responseSchema: z.object({
      letter: z.object({ subject: z.string(), text: z.string(), html: z.string() }),
      recipients: z.number(),
      left: leftShape,
    }),
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.surveys.mailings.preview(project().id, pathParameter('survey'), input, viewer),
        ({ letter: { subject, text, html }, recipients, left }) => ({
          letter: { subject, text, html },
          recipients,
          left: [...left],
        }),
      ),
  },
  {
    method: 'POST',
    path: base,
    summary: 'Send a survey by e-mail to addresses or a cohort, in the background',
    right: 'surveys:write',
    input: mailingInput,
    responseSchema: z.object({ id: z.string(), recipients: z.number(), left: leftShape }),
    status: 201,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.surveys.mailings.send(project().id, pathParameter('survey'), input, viewer),
        ({ mailing, recipients, left }) => ({ id: mailing.id, recipients, left }),
      ),
  },
]
