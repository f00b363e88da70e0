import type { Guard } from '#flags/guard'
import type { Projects } from '#projects/projects'
import type { StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { queueMessage } from './deliveries/deliveries'
import type { Recipient } from './recipient'
import { recipientKey } from './recipient-key'
import { alertsOf } from './internal/store'

interface RolloutNoticesDependencies {
  world: World
  projects: Pick<Projects, 'numbered'>
}

/** The name of e-mails about rollouts where recipients unsubscribe from them. */
const aboutRollouts = 'rollouts'

/**
 * Tells the members and webhooks that the project's alerts go to of a guarded rollout that ended by itself. Addresses of
 * people who are no members are left out: each has agreed to certain numbers only.
 */
export const rolloutNotices =
  ({ world, projects }: RolloutNoticesDependencies) =>
  async (transaction: StoreTransaction, guard: Guard): Promise<void> => {
    const { id, projectId, flagKey, experiment, state, why } = guard
    const project = projects.numbered(projectId)
    if (!project || (state !== 'rolled-back' && state !== 'completed')) return
    const recipients = await insidersOf(transaction, projectId)
    if (recipients.length === 0) return
    const { slug, name } = project
    const message = {
      kind: 'rollout' as const,
      rollout: id,
      flag: flagKey,
      experiment,
      project: { slug, name },
      state,
      why,
      at: world.now().toISOString(),
    }
    await queueMessage(transaction, { projectId, about: aboutRollouts, message }, recipients, world)
  }

async function insidersOf(transaction: StoreTransaction, projectId: number): Promise<Recipient[]> {
  const all = (await alertsOf(transaction, projectId)).flatMap((alert) => alert.recipients)
  const insiders = all.filter(({ by }) => by !== 'mail')
  return [...new Map(insiders.map((one) => [recipientKey(one), one])).values()]
}
