import type { AuditedCall } from '#test/product/authorization/audited-call'

export const findingCalls: Record<string, AuditedCall> = {
  'findings.ofLastWeek': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.findings.ofLastWeek(acme.id, viewer),
  },
}
