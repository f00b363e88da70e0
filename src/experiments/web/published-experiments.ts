import { ReloadLoop } from '#store/reload-loop'
import type { Store } from '#store/store'
import { openExperimentsOf } from '../store'
import { noWebExperiments, webExperimentsJson } from './web-experiment-list'

interface PublishedExperimentsDependencies {
  store: Store
  onTrouble: (problem: unknown) => void
}

/** The topic of changes of experiments. */
export const experimentTopic = 'experiments'

const retryMs = 1000

/** Keeps in memory what browsers ask for with every page: the experiments that change pages, as JSON by project. */
export class PublishedExperiments {
  private lists: ReadonlyMap<number, string> = new Map()
  private stopListening: () => void = () => {}
  private readonly loop: ReloadLoop

  private constructor({ store, onTrouble }: PublishedExperimentsDependencies) {
    this.loop = new ReloadLoop({
      read: async () => {
        this.lists = await readLists(store)
      },
      retryMs,
      onTrouble,
    })
  }

  static async open(dependencies: PublishedExperimentsDependencies): Promise<PublishedExperiments> {
    const published = new PublishedExperiments(dependencies)
    published.stopListening = dependencies.store.onChange((topic) => {
      if (topic === experimentTopic) void published.loop.reload().catch(dependencies.onTrouble)
    })
    await published.loop.reload()
    return published
  }

  webExperiments(projectId: number): string {
    return this.lists.get(projectId) ?? noWebExperiments
  }

  /** Resolves once every change that was announced until now is known here, or could not be read. */
  async caughtUp(): Promise<void> {
    await this.loop.caughtUp()
  }

  async close(): Promise<void> {
    this.stopListening()
    await this.loop.close()
  }
}

async function readLists(store: Store): Promise<Map<number, string>> {
  const withChanges = (await openExperimentsOf(store)).filter(({ web }) => web !== undefined)
  const byProject = Map.groupBy(withChanges, ({ projectId }) => projectId)
  return new Map([...byProject].map(([projectId, own]) => [projectId, webExperimentsJson(own)]))
}
