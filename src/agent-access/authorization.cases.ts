import { createHash } from 'node:crypto'
import type { MemberViewer } from '#projects/access'
import type { AuditedCall, Stage } from '#test/product/authorization/audited-call'
import { memberHelpers, requireDone, testOrigin } from '#test/product/fixture'

export const agentAccessCalls: Record<string, AuditedCall> = {
  'agentAccess.list': {
    right: 'members:read',
    does: ({ product, acme }, viewer) => product.agentAccess.list(acme.id, viewer),
  },
  "agentAccess.revoke of another member's": {
    right: 'members:write',
    // a member of the project sees it, and is then refused
    handsOut: ['members:read'],
    does: async (stage, viewer) =>
      stage.product.agentAccess.revoke(stage.acme.id, await aConnection(stage), viewer),
    action: 'agent.revoke',
    writes: () => ({ subject: 'Claude Code', before: { level: 'read' } }),
  },
  'agentAccess.change': {
    right: 'project:write',
    does: ({ product, acme }, viewer) => product.agentAccess.change(acme.id, { mayConnect: false }, viewer),
    action: 'agent.switch',
    writes: () => ({ before: { mayConnect: true }, after: { mayConnect: false } }),
  },
}

const issuer = 'https://tilth.example'
const redirectUri = 'http://127.0.0.1/callback'
const verifier = 'v'.repeat(43)

/** An assistant of a member who is not the viewer. */
const aConnection = async (stage: Stage): Promise<string> =>
  await letAssistantIn(stage, await memberHelpers(stage.product).signedIn(stage.somebody))

/** Lets an assistant read for a member, and returns the id of the connection. */
export async function letAssistantIn(
  { product, acme }: Pick<Stage, 'product' | 'acme'>,
  member: MemberViewer,
): Promise<string> {
  const { agentAccess } = product
  const registered = await agentAccess.clients.register({
    client_name: 'Claude Code',
    redirect_uris: [redirectUri],
  })
  if (!registered.granted) throw new Error(registered.why)
  const { id } = registered.client
  const request = {
    response_type: 'code',
    client_id: id,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  const { location } = requireDone(
    await agentAccess.consent.approve(request, { project: acme.id, level: 'read' }, member, issuer),
  )
  const code = new URL(location).searchParams.get('code')
  const exchange = { grant_type: 'authorization_code', code, client_id: id, code_verifier: verifier }
  await agentAccess.tokens.exchange(exchange, testOrigin)
  return (await agentAccess.list(acme.id, member))[0]?.id ?? ''
}
