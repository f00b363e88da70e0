import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { linkInput } from '#flags/override-links'
import { type Endpoint, mapOutcome } from './endpoint'

export const overrideLinkEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/projects/{project}/trying-links',
    summary: 'Make a link that shows one browser other values of flags, for a while',
    right: 'project:read',
    input: linkInput,
    responseSchema: z.object({
      path: z.string().meta({ description: 'Below the address under which the site reaches Tilth' }),
      until: instant,
    }),
    status: 201,
    handle: async ({ product, viewer, input, project }) =>
      mapOutcome(await product.flags.overrideLinks.make(project().id, input, viewer), ({ link }) => link),
  },
]
