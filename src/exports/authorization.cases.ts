import { asking, type AuditedCall } from '#test/product/authorization/audited-call'

export const exportCalls: Record<string, AuditedCall> = {
  'exports.tables': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: async (stage, viewer) => {
      await asking(stage, ({ exports: all }) => all.tables(stage.acme.id, viewer))
    },
  },
  'exports.open': {
    right: 'persons:write',
    handsOut: ['events:read'],
    does: ({ product, acme }, viewer) => product.exports.open(acme.id, 'events', {}, viewer),
    action: 'data.export',
    writes: () => ({ subject: 'events' }),
  },
}
