import type { AuditedCall } from '#test/product/authorization/audited-call'

export const apiCalls: Record<string, AuditedCall> = {
  'posthogForms.list': {
    right: 'events:read',
    does: ({ product, acme }, viewer) => product.posthogForms.list(acme.id, 'insight', viewer),
  },
  'posthogForms.keep': {
    right: 'insights:write',
    does: ({ product, acme }, viewer) =>
      product.posthogForms.keep(
        acme.id,
        { kind: 'insight', entryId: 'one', form: { favorited: true } },
        viewer,
      ),
  },
}
