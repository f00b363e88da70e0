import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { newSurveyLinks } from '#surveys/links/link-input'
import { linkStateOf, type SurveyLink, surveyLinkStates } from '#surveys/links/survey-link'
import { type Endpoint, mapOutcome, nothing, success } from './endpoint'

const linkShape = z
  .object({
    id: z.string(),
    state: z.enum(surveyLinkStates).meta({ description: 'Opening a link does not use it' }),
    distinctId: z.string().optional(),
    email: z.string().optional(),
    label: z.string(),
    createdBy: z.string(),
    createdAt: instant,
    expiresAt: instant.optional(),
    revokedAt: instant.optional(),
    submissionId: z.string().optional(),
    begunAt: instant.optional(),
    answeredAt: instant.optional(),
  })
  .meta({ id: 'SurveyLink' })

const newLinkShape = linkShape.extend({ address: z.string() }).meta({ id: 'NewSurveyLink' })

function linkBody<Link extends SurveyLink>(link: Link) {
  const { projectId: _project, surveyId: _survey, ...body } = link
  return { ...body, state: linkStateOf(link, new Date()) }
}

const base = '/projects/{project}/surveys/{survey}/links'

export const surveyLinkEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: base,
    summary: 'List the personal links of a survey, the latest first, never their addresses',
    right: 'surveys:read',
    responseSchema: z.object({ links: z.array(linkShape) }),
    handle: async ({ product, viewer, project, pathParameter }) => {
      const links = await product.surveys.links.list(project().id, pathParameter('survey'), viewer)
      return success({ links: links.map(linkBody) })
    },
  },
  {
    method: 'POST',
    path: base,
    summary: 'Make personal links, a number of them or one for each recipient; addresses are shown this once',
    right: 'surveys:write',
    input: newSurveyLinks,
    responseSchema: z.object({ links: z.array(newLinkShape) }),
    status: 201,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.surveys.links.create(project().id, pathParameter('survey'), input, viewer),
        ({ links }) => ({ links: links.map(linkBody) }),
      ),
  },
  {
    method: 'DELETE',
    path: `${base}/{link}`,
    summary: 'Revoke a personal link that was not answered',
    right: 'surveys:write',
    responseSchema: nothing,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.surveys.links.revoke(
          project().id,
          pathParameter('survey'),
          pathParameter('link'),
          viewer,
        ),
        () => ({}),
      ),
  },
]
