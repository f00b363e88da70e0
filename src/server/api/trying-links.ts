import { z } from 'zod'
import { wanted } from '../trying-links'
import { type Endpoint, instant, shownAs } from './endpoint'

export const tryingLinkEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/projects/{project}/trying-links',
    summary: 'Make a link that shows one browser other values of flags, for a while',
    right: 'project:read',
    input: wanted,
    answers: z.object({
      path: z.string().meta({ description: 'Below the address under which the site reaches Tilth' }),
      until: instant,
    }),
    status: 201,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(await product.tryingLinks.make(project().id, input, viewer), ({ link }) => link),
  },
]
