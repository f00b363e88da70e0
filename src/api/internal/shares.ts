import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { newShare, reportParts, type Share, shareChange } from '#shares/shares'
import type { Product } from '#server/product'
import { changeEndpoint, createEndpoint, listEndpoint, removeEndpoint } from './collection-endpoints'
import { type Endpoint, mapOutcome } from './endpoint'

/** A share is created and renewed with a link that is shown once, and revoked in place of removed. */
const shareEntries = {
  name: 'share',
  rights: { read: 'shares:write', write: 'shares:write' },
  newEntry: newShare,
  change: shareChange,
  api: {
    summaries: {
      list: 'List shares, without their links',
      create:
        'Share a dashboard, an insight, the report of an experiment, or web analytics by a link, which is shown this once',
      change: 'Change the password, expiry, embed domains or options of a share',
      remove: 'Revoke a share: its link stops working',
    },
    shape: z
      .object({
        id: z.string(),
        subject: newShare.shape.subject,
        name: z.string(),
        hasPassword: z.boolean(),
        mayChangePeriod: z.boolean(),
        frameHosts: z.array(z.string()),
        parts: reportParts.optional().meta({ description: 'Of the report of an experiment' }),
        endsAt: instant.optional(),
        createdBy: z.string(),
        createdAt: instant,
        revokedAt: instant.optional(),
      })
      .meta({ id: 'Share' }),
    show: ({ projectId: _, canCopyLink: __, ...share }: Share & { canCopyLink?: boolean }) => share,
  },
} as const
const shares = ({ shares: part }: Product) => part

const linkShape = z.object({
  share: shareEntries.api.shape,
  path: z.string().meta({ description: 'The address of the page, shown this once' }),
})

const showShareLink = ({ share, token }: { share: Share; token: string }) => ({
  share: shareEntries.api.show(share),
  path: `/share/${token}`,
})

export const shareEndpoints: readonly Endpoint[] = [
  listEndpoint(shareEntries, shares),
  {
    ...createEndpoint(shareEntries, shares),
    responseSchema: linkShape,
    handle: async ({ product, viewer, input, project }) =>
      mapOutcome(await product.shares.create(project().id, input, viewer), showShareLink),
  },
  changeEndpoint(shareEntries, shares),
  {
    method: 'POST',
    path: '/projects/{project}/shares/{share}/renew',
    summary: 'Replace the link of a share',
    right: 'shares:write',
    responseSchema: linkShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(await product.shares.renew(project().id, pathParameter('share'), viewer), showShareLink),
  },
  removeEndpoint(shareEntries, (product) => ({
    remove: (projectId, id, viewer) => product.shares.revoke(projectId, id, viewer),
  })),
]
