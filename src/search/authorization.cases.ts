import type { AuditedCall } from '#test/product/authorization/audited-call'

export const searchCalls: Record<string, AuditedCall> = {
  'search.find': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.search.find(acme.id, { text: 'anything' }, viewer),
  },
  'search.named': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.search.named(acme.id, [], viewer),
  },
}
