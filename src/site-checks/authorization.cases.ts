import type { AuditedCall } from '#test/product/authorization/audited-call'

export const siteCheckCalls: Record<string, AuditedCall> = {
  'siteChecks.check': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.siteChecks.check(acme.id, 'https://tilth.example', viewer),
  },
}
