import { z } from 'zod'
import { scopes } from '../../projects/access'
import { newKey, type SecretKey } from '../../projects/keys'
import { done, type Endpoint, instant, nothing, shownAs } from './endpoint'

const keyShape = z
  .object({
    id: z.string(),
    name: z.string(),
    lastFour: z.string(),
    scopes: z.union([z.literal('every'), z.array(z.enum(scopes))]),
    createdBy: z.string(),
    createdAt: instant,
    endsAt: instant.optional(),
    usedAt: instant.optional(),
    revokedAt: instant.optional(),
  })
  .meta({ id: 'SecretKey' })

const shown = ({ projectId: _, ...key }: SecretKey) => key

export const keyEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/keys',
    summary: 'List secret keys, never their text',
    right: 'keys:read',
    answers: z.object({ keys: z.array(keyShape) }),
    answer: async ({ product, viewer, project }) =>
      done({ keys: (await product.keys.list(project().id, viewer)).map(shown) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/keys',
    summary: 'Create a secret key; its text is shown this once',
    right: 'keys:write',
    input: newKey,
    answers: z.object({ key: keyShape, text: z.string() }),
    status: 201,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(await product.keys.create(project().id, input, viewer), ({ key, text }) => ({
        key: shown(key),
        text,
      })),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/keys/{key}',
    summary: 'Revoke a secret key',
    right: 'keys:write',
    answers: nothing,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.keys.revoke(project().id, part('key'), viewer), () => ({})),
  },
]
