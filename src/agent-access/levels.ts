import type { Right } from '#projects/access'

/** The levels of access of an assistant, from the least. */
export const agentLevels = ['read', 'propose', 'change'] as const
export type AgentLevel = (typeof agentLevels)[number]

export const isAgentLevel = (value: unknown): value is AgentLevel =>
  agentLevels.some((level) => level === value)

/** The words from which a member chooses. */
export const levelWords: Readonly<Record<AgentLevel, { label: string; means: string }>> = {
  read: { label: 'Read', means: 'See numbers, flags, experiments, surveys and posts. Changes nothing.' },
  propose: {
    label: 'Propose',
    means: 'Read, and write proposals. Nothing changes until a member approves one.',
  },
  change: {
    label: 'Change',
    means: 'Read and propose, and change at once what visitors do not notice, such as drafts and insights.',
  },
}

const toRead: readonly Right[] = [
  'project:read',
  'events:read',
  'experiments:read',
  'surveys:read',
  'letters:read',
  'sql:read',
]
const toPropose: readonly Right[] = ['proposals:write']
const toChange: readonly Right[] = [
  'insights:write',
  'flags:write',
  'experiments:write',
  'surveys:write',
  'posts:write',
  'alerts:write',
]

/** The rights of a level; the member's role narrows them at each request. */
export const rightsOfLevel: Readonly<Record<AgentLevel, readonly Right[]>> = {
  read: toRead,
  propose: [...toRead, ...toPropose],
  change: [...toRead, ...toPropose, ...toChange],
}

/** The rights without which a member cannot choose a level. */
export const rightsToGrant: Readonly<Record<AgentLevel, readonly Right[]>> = {
  read: ['project:read'],
  propose: toPropose,
  change: [...toPropose, ...toChange],
}
