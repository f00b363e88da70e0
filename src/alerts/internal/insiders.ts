import { operator } from '#projects/access'
import type { ProjectServices } from '#projects/open'
import type { StoreTransaction } from '#store/store'
import type { Recipient } from '../recipient'
import { recipientKey } from '../recipient-key'
import { alertsOf } from './store'

export interface InsidersDependencies {
  projects: Pick<ProjectServices, 'numbered' | 'members'>
  /** Whether there is a mail server. */
  canMail: () => boolean
}

const reader = operator('notices')

/**
 * Returns the members and webhooks that the project's alerts go to, or its owners while it has no alerts. Addresses of
 * people who are no members are left out: each has agreed to certain numbers only.
 */
export async function insidersOf(
  transaction: StoreTransaction,
  projectId: number,
  { projects, canMail }: InsidersDependencies,
): Promise<Recipient[]> {
  const all = (await alertsOf(transaction, projectId)).flatMap((alert) => alert.recipients)
  const insiders = all.filter(({ by }) => by !== 'mail')
  if (insiders.length > 0) return [...new Map(insiders.map((one) => [recipientKey(one), one])).values()]
  if (!canMail()) return []
  const memberships = await projects.members.list(projectId, reader)
  return memberships
    .filter(({ role }) => role === 'owner')
    .map(({ member }): Recipient => ({ by: 'member', member: member.id }))
}
