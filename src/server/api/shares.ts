import { z } from 'zod'
import { newShare, type Share, shareChange } from '../../dashboards/shares'
import { done, type Endpoint, instant, nothing, shownAs } from './endpoint'

const shareShape = z
  .object({
    id: z.string(),
    subject: newShare.shape.subject,
    name: z.string(),
    hasPassword: z.boolean(),
    mayChangePeriod: z.boolean(),
    frameHosts: z.array(z.string()),
    endsAt: instant.optional(),
    createdBy: z.string(),
    createdAt: instant,
    revokedAt: instant.optional(),
  })
  .meta({ id: 'Share' })

const linked = z.object({
  share: shareShape,
  path: z.string().meta({ description: 'The address of the page, told this once' }),
})

const shown = ({ projectId: _, ...share }: Share) => share
const showLinked = ({ share, token }: { share: Share; token: string }) => ({
  share: shown(share),
  path: `/share/${token}`,
})

export const shareEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/shares',
    summary: 'List what is shown to people outside, never the links',
    right: 'shares:write',
    answers: z.object({ shares: z.array(shareShape) }),
    answer: async ({ product, viewer, project }) =>
      done({ shares: (await product.shares.list(project().id, viewer)).map(shown) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/shares',
    summary: 'Share a dashboard, an insight, or web analytics by a link; it is told this once',
    right: 'shares:write',
    input: newShare,
    answers: linked,
    status: 201,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(await product.shares.create(project().id, input, viewer), showLinked),
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/shares/{share}',
    summary: 'Change the password, the end, the frames or the freedoms of a share',
    right: 'shares:write',
    input: shareChange,
    answers: shareShape,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(await product.shares.change(project().id, part('share'), input, viewer), ({ share }) =>
        shown(share),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/shares/{share}/renew',
    summary: 'Put another link in the place of the one that is known',
    right: 'shares:write',
    answers: linked,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.shares.renew(project().id, part('share'), viewer), showLinked),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/shares/{share}',
    summary: 'Revoke a share: its link shows nothing from now on',
    right: 'shares:write',
    answers: nothing,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.shares.revoke(project().id, part('share'), viewer), () => ({})),
  },
]
