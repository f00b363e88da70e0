import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import type { AuditEntry } from '#projects/audit'
import { isAuditAction } from '#projects/audit-actions'
import { parseInput } from '#projects/problems'
import { success, type Endpoint } from './endpoint'

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

const auditEntryBody = ({ projectId: _, ...entry }: AuditEntry) => entry

export const auditEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/audit',
    summary: 'Read the audit log, newest first',
    right: 'audit:read',
    query: page,
    responseSchema: z.object({ entries: z.array(entryShape) }),
    handle: async ({ product, viewer, query, project }) => {
      const parsed = parseInput(page, Object.fromEntries(query))
      if (!parsed.done) return parsed
      return success({
        entries: (await product.projects.audit.list(project().id, parsed.value, viewer)).map(auditEntryBody),
      })
    },
  },
]
