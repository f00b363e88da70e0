import type { AuditedCall } from '#test/product/authorization/audited-call'

export const moveCalls: Record<string, AuditedCall> = {
  'movedEntries.list': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) => product.movedEntries.list(acme.id, 'cohorts', viewer),
  },
  'movedEntries.add': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) =>
      product.movedEntries.add(acme.id, { kind: 'cohorts', theirId: 'theirs', ourId: 'ours' }, viewer),
  },
}
