import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { newShare, type Share, shareChange } from '#dashboards/shares/shares'
import { success, type Endpoint, nothing, mapOutcome } from './endpoint'

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

const linkShape = z.object({
  share: shareShape,
  path: z.string().meta({ description: 'The address of the page, shown this once' }),
})

const shareBody = ({ projectId: _, ...share }: Share) => share
const showShareLink = ({ share, token }: { share: Share; token: string }) => ({
  share: shareBody(share),
  path: `/share/${token}`,
})

export const shareEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/shares',
    summary: 'List what is shown to people outside, never the links',
    right: 'shares:write',
    responseSchema: z.object({ shares: z.array(shareShape) }),
    handle: async ({ product, viewer, project }) =>
      success({ shares: (await product.shares.list(project().id, viewer)).map(shareBody) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/shares',
    summary: 'Share a dashboard, an insight, or web analytics by a link, which is shown this once',
    right: 'shares:write',
    input: newShare,
    responseSchema: linkShape,
    status: 201,
    handle: async ({ product, viewer, input, project }) =>
      mapOutcome(await product.shares.create(project().id, input, viewer), showShareLink),
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/shares/{share}',
    summary: 'Change the password, the end, the frames or the freedoms of a share',
    right: 'shares:write',
    input: shareChange,
    responseSchema: shareShape,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.shares.change(project().id, pathParameter('share'), input, viewer),
        ({ share }) => shareBody(share),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/shares/{share}/renew',
    summary: 'Put another link in the place of the one that is known',
    right: 'shares:write',
    responseSchema: linkShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(await product.shares.renew(project().id, pathParameter('share'), viewer), showShareLink),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/shares/{share}',
    summary: 'Revoke a share: its link shows nothing from now on',
    right: 'shares:write',
    responseSchema: nothing,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(await product.shares.revoke(project().id, pathParameter('share'), viewer), () => ({})),
  },
]
