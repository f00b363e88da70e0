import type { Guard } from '#flags/guard'
import type { StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { queueMessage } from './deliveries/deliveries'
import type { Recipient } from './recipient'
import { insidersOf, type InsidersDependencies } from './internal/insiders'

interface RolloutNoticesDependencies extends InsidersDependencies {
  world: World
  /** The recipients that an experiment has chosen, none if it has not. */
  recipientsOf: (
    transaction: StoreTransaction,
    projectId: number,
    experiment: string,
  ) => Promise<readonly Recipient[]>
}

/** The name of e-mails about rollouts where recipients unsubscribe from them. */
const aboutRollouts = 'rollouts'

/** Tells the recipients of a rollout’s experiment, or the insiders of its project, that it ended by itself. */
export const rolloutNotices =
  (dependencies: RolloutNoticesDependencies) =>
  async (transaction: StoreTransaction, guard: Guard): Promise<void> => {
    const { world, projects } = dependencies
    const { id, projectId, flagKey, experiment, state, why } = guard
    const project = projects.numbered(projectId)
    if (!project || (state !== 'rolled-back' && state !== 'completed')) return
    const own =
      experiment === undefined ? [] : await dependencies.recipientsOf(transaction, projectId, experiment)
    const recipients = own.length > 0 ? own : await insidersOf(transaction, projectId, dependencies)
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
