import { LiveCopy, listenByProject } from '#store/live-copy'
import type { Store } from '#store/store'
import { everyStamp, surveysWithIds, versionsOf, type SurveyStamp } from './store'
import type { Survey, SurveyVersion } from '../survey'

interface PublishedSurveysDependencies {
  store: Store
  onTrouble: (problem: unknown) => void
}

interface CachedSurvey {
  survey: Survey
  /** The oldest first. */
  versions: readonly SurveyVersion[]
}

type SurveysById = ReadonlyMap<string, CachedSurvey>

/** The list of a project is the same object until one of its surveys changes. */
interface SurveyState {
  byProject: ReadonlyMap<number, SurveysById>
  lists: ReadonlyMap<number, readonly Survey[]>
}

const noSurveys: readonly Survey[] = []

/** Keeps all surveys of all projects in memory with all versions of their content, drafts and archived ones included. */
export class PublishedSurveys {
  private readonly copy: LiveCopy<SurveyState>

  private constructor({ store, onTrouble }: PublishedSurveysDependencies) {
    this.copy = new LiveCopy<SurveyState>({
      store,
      topics: ['surveys'],
      initial: { byProject: new Map(), lists: new Map() },
      read: (last) => readSurveys(store, last),
      onTrouble,
    })
  }

  static async open(dependencies: PublishedSurveysDependencies): Promise<PublishedSurveys> {
    const published = new PublishedSurveys(dependencies)
    await published.copy.reload()
    return published
  }

  /** Returns surveys by age, drafts and archived ones among them. The list is the same until one of them changes. */
  surveysOf(projectId: number): readonly Survey[] {
    return this.copy.value.lists.get(projectId) ?? noSurveys
  }

  /** Returns the surveys of all projects. */
  everySurvey(): Survey[] {
    return [...this.copy.value.lists.values()].flat()
  }

  find(projectId: number, id: string): Survey | undefined {
    return this.copy.value.byProject.get(projectId)?.get(id)?.survey
  }

  /** All versions of a survey's content, the oldest first; none of an unknown survey. */
  versionsOf(projectId: number, id: string): readonly SurveyVersion[] {
    return this.copy.value.byProject.get(projectId)?.get(id)?.versions ?? []
  }

  /** Calls the listener with the id of a project whose surveys have changed. */
  onChange(listener: (projectId: number) => void): () => void {
    return this.copy.onChange(listenByProject(({ byProject }) => byProject, listener))
  }

  get staleMs(): number {
    return this.copy.staleMs
  }

  /** Resolves once every change that was announced until now is known here, or could not be read. */
  async caughtUp(): Promise<void> {
    await this.copy.caughtUp()
  }

  async close(): Promise<void> {
    await this.copy.close()
  }
}

async function readSurveys(store: Store, last: SurveyState): Promise<SurveyState> {
  const stamps = Map.groupBy(await everyStamp(store), ({ projectId }) => projectId)
  const byProject = new Map<number, SurveysById>()
  const lists = new Map<number, readonly Survey[]>()
  for (const [projectId, own] of stamps) {
    const known = last.byProject.get(projectId) ?? new Map<string, CachedSurvey>()
    const surveys = await readProject(store, { projectId, stamps: own, known })
    const unchanged = surveys === known ? last.lists.get(projectId) : undefined
    byProject.set(projectId, surveys)
    lists.set(projectId, unchanged ?? [...surveys.values()].map(({ survey }) => survey))
  }
  return { byProject, lists }
}

interface ProjectReading {
  projectId: number
  stamps: readonly SurveyStamp[]
  known: SurveysById
}

/** Content is large and seldom changes: only surveys with another revision than the known one are read. */
async function readProject(store: Store, { projectId, stamps, known }: ProjectReading): Promise<SurveysById> {
  const isKnown = ({ id, revision }: SurveyStamp) => known.get(id)?.survey.revision === revision
  if (stamps.length === known.size && stamps.every(isKnown)) return known
  const changed = stamps.filter((stamp) => !isKnown(stamp)).map(({ id }) => id)
  const read = new Map<string, CachedSurvey>()
  for (const survey of await surveysWithIds(store, projectId, changed))
    read.set(survey.id, { survey, versions: await versionsOf(store, projectId, survey.id) })
  const current = stamps.flatMap(({ id }): [string, CachedSurvey][] => {
    const found = read.get(id) ?? known.get(id)
    return found ? [[id, found]] : []
  })
  return new Map(current)
}
