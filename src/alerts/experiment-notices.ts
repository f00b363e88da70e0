import type { Experiment } from '#experiments/experiment'
import type { ExperimentNotice } from '#experiments/watch/notices'
import type { StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { queueMessage } from './deliveries/deliveries'
import { insidersOf, type InsidersDependencies } from './internal/insiders'

interface ExperimentNoticesDependencies extends InsidersDependencies {
  world: World
}

/** The name of e-mails about experiments where recipients unsubscribe from them. */
export const aboutExperiments = 'experiments'

/** Tells the recipients of an experiment, or the insiders of its project, what became known of it. */
export const experimentNotices =
  (dependencies: ExperimentNoticesDependencies) =>
  async (
    transaction: StoreTransaction,
    { id, name, projectId, flag, recipients: own }: Experiment,
    { kind: notice, sentence }: ExperimentNotice,
  ): Promise<void> => {
    const { world, projects } = dependencies
    const project = projects.numbered(projectId)
    if (!project) return
    const message = {
      kind: 'experiment' as const,
      notice,
      experiment: { id, name, flag },
      project: { slug: project.slug, name: project.name },
      sentence,
      at: world.now().toISOString(),
    }
    const recipients = own.length > 0 ? own : await insidersOf(transaction, projectId, dependencies)
    await queueMessage(transaction, { projectId, about: aboutExperiments, message }, recipients, world)
  }
