import type { AuditedCall } from '#test/product/authorization/audited-call'

export const retentionCalls: Record<string, AuditedCall> = {
  'retention.latest': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.retention.latest(acme.id, viewer),
  },
}
