import { z } from 'zod'
import type { AuditEntry } from '../../projects/audit'
import { isAuditAction } from '../../projects/audit-actions'
import { parse } from '../../projects/problems'
import { done, type Endpoint, instant } from './endpoint'

const entryShape = z
  .object({
    sequence: z.number(),
    at: instant,
    action: z.string(),
    subject: z.string(),
    actor: z.object({ kind: z.enum(['member', 'key', 'operator']), id: z.string(), name: z.string() }),
    origin: z.object({ address: z.string(), client: z.string(), requestId: z.string() }),
    before: z.unknown().optional(),
    after: z.unknown().optional(),
  })
  .meta({ id: 'AuditEntry' })

const page = z.object({
  before: z.coerce.number().int().optional().meta({ description: 'Entries older than this sequence number' }),
  size: z.coerce.number().int().min(1).max(500).default(50),
  action: z.string().refine(isAuditAction, { error: 'There is no such action.' }).optional(),
})

const shown = ({ projectId: _, ...entry }: AuditEntry) => entry

export const auditEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/audit',
    summary: 'Read the audit log, newest first',
    right: 'audit:read',
    query: page,
    answers: z.object({ entries: z.array(entryShape) }),
    answer: async ({ product, viewer, query, project }) => {
      const asked = parse(page, Object.fromEntries(query))
      if (!asked.done) return asked
      return done({ entries: (await product.audit.list(project().id, asked.value, viewer)).map(shown) })
    },
  },
]
