import { LiveCopy } from '#store/live-copy'
import type { Store } from '#store/store'
import { openExperimentsOf } from '../internal/store'
import { noWebExperiments, webExperimentsJson } from './web-experiment-list'

interface PublishedExperimentsDependencies {
  store: Store
  onTrouble: (problem: unknown) => void
}

/** The topic of changes of experiments. */
export const experimentTopic = 'experiments'

/** Keeps in memory what browsers ask for with every page: the experiments that change pages, as JSON by project. */
export class PublishedExperiments {
  private constructor(private readonly lists: LiveCopy<ReadonlyMap<number, string>>) {}

  static async open({ store, onTrouble }: PublishedExperimentsDependencies): Promise<PublishedExperiments> {
    const lists = await LiveCopy.open<ReadonlyMap<number, string>>({
      store,
      topics: [experimentTopic],
      initial: new Map(),
      read: () => readLists(store),
      onTrouble,
    })
    return new PublishedExperiments(lists)
  }

  webExperiments(projectId: number): string {
    return this.lists.value.get(projectId) ?? noWebExperiments
  }

  /** Resolves once every change that was announced until now is known here, or could not be read. */
  async caughtUp(): Promise<void> {
    await this.lists.caughtUp()
  }

  async close(): Promise<void> {
    await this.lists.close()
  }
}

async function readLists(store: Store): Promise<Map<number, string>> {
  const withChanges = (await openExperimentsOf(store)).filter(({ web }) => web !== undefined)
  const byProject = Map.groupBy(withChanges, ({ projectId }) => projectId)
  return new Map([...byProject].map(([projectId, own]) => [projectId, webExperimentsJson(own)]))
}
