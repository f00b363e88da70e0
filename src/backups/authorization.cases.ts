import type { AuditedCall } from '#test/product/authorization/audited-call'

export const backupCalls: Record<string, AuditedCall> = {
  'backups.read': {
    right: 'audit:read',
    does: ({ product, acme }, viewer) => product.backups.read(acme.id, viewer),
  },
}
