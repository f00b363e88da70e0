import { expect } from 'vitest'
import { operator } from '#projects/access'
import { requireDone } from '#test/product/fixture'
import type { AuditedCall, InstallationCall, Stage } from '#test/product/authorization/audited-call'
import type { Proposal } from './proposals/proposal'

const reads = ['project:read', 'events:read'] as const

export const agentCalls: Record<string, AuditedCall> = {
  'proposals.request': {
    right: 'proposals:write',
    handsOut: reads,
    does: ({ product, acme }, viewer) =>
      product.proposals.request(acme.id, 'create_flag', switchedOn('asked'), viewer),
    action: 'proposal.create',
    writes: (_, { name }) => ({
      subject: 'Create the flag asked.',
      after: { change: 'create_flag', lines: ['production: turned on'], proposedBy: name },
    }),
  },
  'proposals.list': {
    right: 'project:read',
    does: ({ product, acme }, viewer) => product.proposals.list(acme.id, viewer),
  },
  'proposals.find': {
    right: 'project:read',
    does: async (stage, viewer) =>
      stage.product.proposals.find(stage.acme.id, (await aProposal(stage)).id, viewer),
  },
  'proposals.withdraw': {
    right: 'proposals:write',
    handsOut: reads,
    does: async (stage, viewer) => {
      const { product, acme } = stage
      const made = await product.proposals.request(acme.id, 'create_flag', switchedOn('back'), viewer)
      return 'proposal' in made ? product.proposals.withdraw(acme.id, made.proposal.id, viewer) : made
    },
    action: 'proposal.withdraw',
    writes: () => ({
      subject: 'Create the flag back.',
      after: expect.objectContaining({ change: 'create_flag' }),
    }),
  },
}

const people = ['owner', 'admin', 'editor', 'operator']

/** Decisions that no key can make, whatever its scopes. */
export const decidingCalls: Record<string, InstallationCall> = {
  'proposals.approve': {
    by: people,
    rule: 'member with `proposals:write` and the right to the change, or operator; never a key',
    does: async (stage, viewer) =>
      stage.product.proposals.approve(stage.acme.id, (await aProposal(stage)).id, viewer),
  },
  'proposals.refuse': {
    by: people,
    rule: 'member with `proposals:write`, or operator; never a key',
    does: async (stage, viewer) =>
      stage.product.proposals.refuse(stage.acme.id, (await aProposal(stage)).id, {}, viewer),
  },
}

const switchedOn = (key: string) => ({ key, environments: { production: { isOn: true } } })

export async function aProposal({ product, acme }: Stage): Promise<Proposal> {
  const key = `proposed-${(await product.proposals.list(acme.id, operator())).length}`
  const made = requireDone(
    await product.proposals.request(acme.id, 'create_flag', switchedOn(key), operator()),
  )
  if (made.made) throw new Error('This change always asks.')
  return made.proposal
}
