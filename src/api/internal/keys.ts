import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { scopes } from '#projects/access'
import { newKey, type SecretKey } from '#projects/keys'
import { success, type Endpoint, nothing, mapOutcome } from './endpoint'

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

const keyBody = ({ projectId: _, ...key }: SecretKey) => key

export const keyEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/keys',
    summary: 'List secret keys, never their text',
    right: 'keys:read',
    responseSchema: z.object({ keys: z.array(keyShape) }),
    handle: async ({ product, viewer, project }) =>
      success({ keys: (await product.projects.keys.list(project().id, viewer)).map(keyBody) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/keys',
    summary: 'Create a secret key; its text is shown this once',
    right: 'keys:write',
    input: newKey,
    responseSchema: z.object({ key: keyShape, text: z.string() }),
    status: 201,
    handle: async ({ product, viewer, input, project }) =>
      mapOutcome(await product.projects.keys.create(project().id, input, viewer), ({ key, text }) => ({
        key: keyBody(key),
        text,
      })),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/keys/{key}',
    summary: 'Revoke a secret key',
    right: 'keys:write',
    responseSchema: nothing,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(await product.projects.keys.revoke(project().id, pathParameter('key'), viewer), () => ({})),
  },
]
